import type * as z from 'zod';
import { nearestName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import { inSlices } from '../platform/slices.ts';
import { takeInbox } from '../project/inbox.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { RECORD_TOOL } from '../setup/hooks-table.ts';
import { type Answer, errorAnswer } from './answer.ts';
import type { Ask } from './asking.ts';
import type { ServerContext } from './context.ts';
import { errorPlace } from './error-place.ts';

/** What the protocol lets a client assume about a tool without knowing it. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Of a tool that only looks. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** One tool: all that a client is told of it, and what it does. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For a model: first what it gives and when to call it. */
  description: string;
  annotations: Annotations;
  input: I;
  /** Writes no more than that it was called, or what it found: a server that may only read leaves that out. */
  writesNotesOnly?: true;
  /** Of its structured content; absent where the answer is text. */
  output?: z.ZodObject;
  /** What takes long in a large journal and may be done ahead of `run` in short steps, so that others are heard meanwhile. */
  ahead?(project: Project): Iterable<Iterable<unknown>>;
  /**
   * May throw: `callTool` turns that into an answer.
   * @param ask absent where the client cannot ask its user
   */
  run(input: z.infer<I>, context: ServerContext, ask?: Ask): Answer | Promise<Answer>;
}

/** Checks a tool's definition and forgets the type of its input, which the dispatcher cannot know. */
export const defineTool = <I extends z.ZodObject>(tool: Tool<I>): Tool => tool as unknown as Tool;

/** Runs the tool of that name. Whatever is wrong, with the arguments or the journal, is an answer, too. */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  context: ServerContext,
  ask?: Ask,
): Promise<Answer> {
  const start = performance.now();
  try {
    const { tools } = context.offer;
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw unknownTool(tools, name);
    const input = checkedInput(tool, args);
    // It reads nothing and must be quick; its append takes the inbox in by itself.
    if (name !== RECORD_TOOL) {
      takeInbox(context.project);
      for (const steps of tool.ahead?.(context.project) ?? []) await inSlices(steps);
    }
    const answer = await tool.run(input, context, ask);
    context.log.debug(`${name}: answered in ${Math.round(performance.now() - start)} ms`);
    return answer;
  } catch (error) {
    if (!(error instanceof Ben10Error)) context.log.error(`${name}: ${errorPlace(error)}`);
    else context.log.debug(`${oneLine(name).slice(0, 80)}: ${error.code}`);
    return errorAnswer(error);
  }
}

function unknownTool(tools: readonly Tool[], name: string): Ben10Error {
  const names = tools.map((tool) => tool.name);
  return new Ben10Error('USAGE', `there is no tool "${name.slice(0, 80)}"`, {
    next: `The nearest is ${nearestName(name.slice(0, 80), names)}. All: ${names.join(', ')}.`,
  });
}

function checkedInput(tool: Tool, args: Record<string, unknown>): Record<string, unknown> {
  const parsed = tool.input.safeParse(args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map((issue) => {
    const place = issue.path.join('.');
    return place === '' ? issue.message : `${place}: ${issue.message}`;
  });
  const names = Object.keys(tool.input.shape).join(', ');
  const takes = names === '' ? 'no arguments' : names;
  throw new Ben10Error('USAGE', `wrong arguments for ${tool.name}: ${problems.join('; ')}`, {
    next: `Correct them and call again. ${tool.name} takes ${takes}.`,
  });
}

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

/** Hints for the client, as MCP defines them. */
const annotations = (readOnlyHint: boolean, idempotentHint: boolean) => ({
  readOnlyHint,
  destructiveHint: false,
  idempotentHint,
  openWorldHint: false,
});
export const READ_ONLY = annotations(true, true);
export const WRITES = annotations(false, false);
/** For tools that write, but calling them twice is like once. */
export const IDEMPOTENT = annotations(false, true);

export interface Tool<I extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For the model: first what the tool does and when to call it. */
  description: string;
  annotations: typeof READ_ONLY;
  input: I;
  /** Only records its call or what it found: a read-only server offers the tool without that. */
  writesNotesOnly?: true;
  /** Of its structured content; absent if the answer is text. */
  output?: z.ZodObject;
  /** Slow work in steps before `run`, so that other requests are answered meanwhile. */
  ahead?(project: Project, input: z.infer<I>): Iterable<Iterable<unknown>>;
  /**
   * May throw.
   * @param ask absent if the client cannot ask its user
   * @param toolUseId the client's own name of this call, if it gives one
   */
  run(
    input: z.infer<I>,
    context: ServerContext,
    ask?: Ask,
    toolUseId?: string,
  ): Answer | Promise<Answer>;
}

/** Checks a tool's type, and erases the type of its input. */
export const defineTool = <I extends z.ZodObject>(tool: Tool<I>): Tool => tool as unknown as Tool;

/** Runs a tool. Every error becomes an answer. */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  context: ServerContext,
  ask?: Ask,
  toolUseId?: string,
): Promise<Answer> {
  const start = performance.now();
  try {
    const { tools } = context.offer;
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw unknownTool(tools, name);
    const input = checkedInput(tool, args);
    // Recording must be quick, and its append drains the inbox itself.
    if (name !== RECORD_TOOL) {
      takeInbox(context.project);
      for (const steps of tool.ahead?.(context.project, input) ?? []) await inSlices(steps);
    }
    const answer = await tool.run(input, context, ask, toolUseId);
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
    next: `Did you mean ${nearestName(name.slice(0, 80), names)}? All tools: ${names.join(', ')}.`,
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

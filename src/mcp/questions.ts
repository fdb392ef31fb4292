import { type Alert, look } from '../monitor/look.ts';
import type { Usage } from '../monitor/tail.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import { takeInbox } from '../project/inbox.ts';
import { type Answer, dataAnswer } from './answer.ts';
import type { Ask } from './asking.ts';
import { complete } from './complete.ts';
import type { ServerContext } from './context.ts';
import { runJobHere } from './jobs.ts';
import { getPrompt } from './prompts/index.ts';
import { listResources, readUri } from './resources/index.ts';
import { callTool } from './tool.ts';

/** Requests that read the journal, as plain data for the worker process. */
export type Question =
  | { of: 'tool'; name: string; args: Record<string, unknown>; toolUseId?: string }
  | { of: 'resource'; uri: string }
  | { of: 'resources' }
  | { of: 'prompt'; name: string; args: Record<string, string> }
  | {
      of: 'completion';
      ref: Parameters<typeof complete>[0];
      argument: Parameters<typeof complete>[1];
    }
  | { of: 'job'; name: string }
  | { of: 'level'; session: string; sample: Usage; cwd?: string | undefined };

interface Replies {
  tool: Answer;
  resource: { uri: string; mimeType: string; text: string };
  resources: ReturnType<typeof listResources>;
  prompt: Awaited<ReturnType<typeof getPrompt>>;
  completion: ReturnType<typeof complete>;
  job: undefined;
  level: Alert | undefined;
}

export type ReplyTo<Q extends Question> = Replies[Q['of']];

/** @param ask absent if the client cannot ask its user. @throws any error, but not of a tool, which answers with its error */
export async function replyTo(
  question: Question,
  context: ServerContext,
  ask?: Ask,
): Promise<Replies[Question['of']]> {
  switch (question.of) {
    case 'tool':
      return callTool(question.name, question.args, context, ask, question.toolUseId);
    case 'resource':
      return readResource(question.uri, context);
    case 'resources':
      return listResources(context);
    case 'prompt':
      return getPrompt(question.name, question.args, context);
    case 'completion':
      return complete(question.ref, question.argument, context);
    case 'job':
      return runJobHere(question.name, context);
    case 'level':
      return levelOf(question, context);
  }
}

function levelOf(
  { session, sample, cwd }: Extract<Question, { of: 'level' }>,
  { project, settings }: ServerContext,
): Replies['level'] {
  const { worktree } = placeOf(project.dir, cwd);
  return look(project, session, settings.config.monitor, undefined, { sample, worktree }).alert;
}

async function readResource(uri: string, context: ServerContext): Promise<Replies['resource']> {
  takeInbox(context.project);
  const found = await readUri(uri, context);
  if (found === undefined) throw noResource(uri, context);
  const { data, mimeType } = found;
  const text = typeof data === 'string' ? data : dataAnswer(data).content[0]!.text;
  return { uri, mimeType, text };
}

const noResource = (uri: string, { offer }: ServerContext): Ben10Error => {
  const { resources, templates } = offer;
  const known = [...resources.map((one) => one.uri), ...templates.map((one) => one.uriTemplate)];
  return new Ben10Error('MCP_RESOURCE_ERROR', `there is no resource "${uri.slice(0, 200)}"`, {
    next: `Use one of: ${known.join(', ')}`,
  });
};

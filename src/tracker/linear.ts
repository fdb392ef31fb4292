import { addAbortSignal, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import * as f from '../events/fields.ts';
import { isOf } from '../events/shape.ts';
import type { TrackerSettings } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import { withTimeLimit } from '../platform/time-limit.ts';
import type { Tracker } from './deliver.ts';
import { TrackerError } from './failure.ts';
import { type Effect, uuidOf } from './wanted.ts';

type Env = Readonly<Record<string, string | undefined>>;

const ENDPOINT = 'https://api.linear.app/graphql';
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

/** All that Linear is ever asked. */
export const DOCUMENTS = {
  look: `query Look($issue: String!, $label: String!, $ids: [ID!]) {
    issue(id: $issue) {
      id title
      state { name type }
      team { id states { nodes { id name type position } } }
      labels(filter: { name: { eqIgnoreCase: $label } }) { nodes { id } }
      comments(filter: { id: { in: $ids } }) { nodes { id } }
      children(filter: { id: { in: $ids } }, includeArchived: true) { nodes { id identifier } }
    }
    issueLabels(filter: { name: { eqIgnoreCase: $label } }) { nodes { id team { id } } }
  }`,
  comment: `mutation Comment($input: CommentCreateInput!) {
    commentCreate(input: $input) { success }
  }`,
  changeComment: `mutation ChangeComment($id: String!, $input: CommentUpdateInput!) {
    commentUpdate(id: $id, input: $input) { success }
  }`,
  label: `mutation Label($input: IssueLabelCreateInput!) {
    issueLabelCreate(input: $input) { success }
  }`,
  change: `mutation Change($id: String!, $input: IssueUpdateInput!) {
    issueUpdate(id: $id, input: $input) { success }
  }`,
  attach: `mutation Attach($input: AttachmentCreateInput!) {
    attachmentCreate(input: $input) { success }
  }`,
  shard: `mutation Shard($input: IssueCreateInput!) {
    issueCreate(input: $input) { success issue { identifier } }
  }`,
} as const;

const nodes = <F extends f.Fields>(fields: F) =>
  f.object({ nodes: f.list(f.object({ id: f.name, ...fields })) });

const LOOK = f.object({
  issue: f.object({
    id: f.name,
    title: f.words,
    state: f.object({ name: f.words, type: f.words }),
    team: f.object({
      id: f.name,
      states: nodes({ name: f.words, type: f.words, position: f.number }),
    }),
    labels: nodes({}),
    comments: nodes({}),
    children: nodes({ identifier: f.words }),
  }),
  issueLabels: nodes({ team: f.nullable(f.object({ id: f.name })) }),
});
type Look = f.TypeOf<typeof LOOK>;

export const hasKey = ({ LINEAR_API_KEY: key = '' }: Env): boolean => /^[!-~]{1,512}$/.test(key);

/** The variable is for tests: a key never goes anywhere but to Linear, or stays on this machine. @throws Ben10Error CONFIG_INVALID */
function endpointOf({ BEN10_LINEAR_URL: url = '' }: Env): string {
  if (url === '') return ENDPOINT;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  if (['127.0.0.1', '[::1]', 'localhost'].includes(host)) return url;
  throw new Ben10Error('CONFIG_INVALID', 'BEN10_LINEAR_URL does not lead to this machine', {
    next: 'Unset it: it is for tests.',
  });
}

/** @throws Ben10Error CONFIG_INVALID */
export function linear(settings: TrackerSettings, env: Env, signal?: AbortSignal): Tracker {
  const endpoint = endpointOf(env);
  if (!hasKey(env)) throw new TrackerError('no-key');
  const ask: Ask = (query, variables) =>
    withTimeLimit(TIMEOUT_MS, signal, (either) =>
      asked(endpoint, env.LINEAR_API_KEY!, { query, variables }, either),
    );
  return async (issue, effects) => {
    const ids = effects.flatMap((one) => ('id' in one ? one.id : []));
    const look = await ask(DOCUMENTS.look, { issue, label: settings.label || 'none', ids });
    if (!isOf(look, LOOK)) throw new TrackerError('refused');
    const { title, state } = (look as Look).issue;
    const perform = (effect: Effect) => performed(effect, { look: look as Look, settings, ask });
    return { title, state: state.name, perform };
  };
}

type Ask = (document: string, variables: object) => Promise<unknown>;
type About = { look: Look; settings: TrackerSettings; ask: Ask };

/** @throws TrackerError also where the answer does not say that it was done */
async function change(ask: Ask, document: string, variables: object) {
  type Made = { success?: unknown; issue?: { identifier?: unknown } | null } | null;
  const [made] = Object.values(Object(await ask(document, variables)) as Record<string, Made>);
  if (made?.success !== true) throw new TrackerError('refused');
  return made;
}

/** Everything has an id of ours, or can be said twice: what was done, and not heard of, is found done. @returns Linear's name of it */
async function performed(effect: Effect, about: About): Promise<string | undefined> {
  const { look, ask } = about;
  const { id: issueId, team, comments, children } = look.issue;
  if (effect.kind === 'shard') {
    const { id, title } = effect;
    const there = children.nodes.find((one) => one.id === id);
    if (there !== undefined) return there.identifier;
    const input = { id, teamId: team.id, parentId: issueId, title, description: effect.text() };
    const made = await change(ask, DOCUMENTS.shard, { input });
    return String(made.issue?.identifier ?? '');
  }
  if (effect.kind === 'comment') {
    const { id } = effect;
    const body = effect.text();
    if (comments.nodes.some((one) => one.id === id))
      await change(ask, DOCUMENTS.changeComment, { id, input: { body } });
    else await change(ask, DOCUMENTS.comment, { input: { id, issueId, body } });
  } else if (effect.kind === 'attachment') {
    const { title, url } = effect;
    await change(ask, DOCUMENTS.attach, { input: { issueId, title, url } });
  } else {
    const stateId = stateFor(about);
    const labelId = await labelFor(about);
    const input = { ...(stateId && { stateId }), ...(labelId && { addedLabelIds: [labelId] }) };
    if (stateId || labelId) await change(ask, DOCUMENTS.change, { id: issueId, input });
  }
  return undefined;
}

/** Only what was not started goes on. @throws TrackerError no-state */
function stateFor({ look: { issue }, settings }: About) {
  const name = settings.linear.state;
  if (!['backlog', 'unstarted'].includes(issue.state.type)) return undefined;
  const states = issue.team.states.nodes.toSorted((a, b) => a.position - b.position);
  if (name === '') return states.find(({ type }) => type === 'started')?.id;
  const found = states.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new TrackerError('no-state');
  return found.name === issue.state.name ? undefined : found.id;
}

/** Of the team or of all teams; made if there is none. */
async function labelFor({ look: { issue, issueLabels }, settings: { label }, ask }: About) {
  if (label === '' || issue.labels.nodes.length > 0) return undefined;
  const { id: teamId } = issue.team;
  const found = issueLabels.nodes.find(({ team }) => team === null || team.id === teamId);
  if (found !== undefined) return found.id;
  const id = uuidOf(teamId, `label ${label.toLowerCase()}`);
  await change(ask, DOCUMENTS.label, { input: { id, teamId, name: label } });
  return id;
}

interface GraphAnswer {
  data?: unknown;
  errors?: { message?: unknown; extensions?: { code?: unknown } }[];
}

/** @throws TrackerError */
async function asked(
  endpoint: string,
  key: string,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  let response: Response;
  let answer: GraphAnswer = {};
  try {
    const headers = { authorization: key, 'content-type': 'application/json' };
    // A redirection would take the key along.
    const how = { method: 'POST', redirect: 'error', headers, signal } as const;
    response = await fetch(endpoint, { ...how, body: JSON.stringify(body) });
    const text =
      response.body === null ? '' : await textIn(response.body as ReadableStream, signal);
    if (response.headers.get('content-type')?.includes('json')) answer = Object(JSON.parse(text));
  } catch {
    throw new TrackerError('unreachable');
  }
  const { status, headers } = response;
  const error = answer.errors?.[0];
  const code = error?.extensions?.code;
  if (status === 401 || status === 403 || code === 'AUTHENTICATION_ERROR')
    throw new TrackerError('refused-key');
  if (status === 429 || code === 'RATELIMITED') throw new TrackerError('limited', waitIn(headers));
  if (status >= 500) throw new TrackerError('server-error', waitIn(headers));
  if (/^Entity not found: Issue\b/.test(String(error?.message))) throw new TrackerError('no-issue');
  if (!response.ok || error !== undefined || answer.data == null) throw new TrackerError('refused');
  return answer.data;
}

/** As a stream of Node's, which a signal ends at any time; in version 20 a body's own may be forgotten. */
async function textIn(body: ReadableStream, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of addAbortSignal(signal, Readable.fromWeb(body))) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Seconds or a time, else when Linear's hour begins anew. */
function waitIn(headers: Headers): number {
  const after = headers.get('retry-after') ?? '';
  const until = /^\d+$/.test(after)
    ? Date.now() + Number(after) * 1000
    : Date.parse(after) || Number(headers.get('x-ratelimit-requests-reset') ?? 0);
  return Math.max(0, until - Date.now()) || 0;
}

import type { JournalEvent } from '../events/types.ts';
import { type Asked, askedOf } from '../projections/outcome/command.ts';
import { outcomeOf as judgedCall } from '../projections/outcome/of-call.ts';
import { oneLine } from '../projections/safe-text.ts';
import { aboutOf, answerText, fileOf, isObject, textOf } from '../projections/tools-text.ts';

type Data = Record<string, unknown>;

const SUMMARY_CHARS_MAX = 400;

export function summaryOf({ type, data }: Pick<JournalEvent, 'type' | 'data'>): string {
  const say = Object.hasOwn(SUMMARIES, type) ? SUMMARIES[type] : undefined;
  const fields = isObject(data) ? data : {};
  const text = say === undefined ? (JSON.stringify(data) ?? '') : say(fields);
  // Clean no more than can be shown.
  return oneLine(text.slice(0, 4 * SUMMARY_CHARS_MAX)).slice(0, SUMMARY_CHARS_MAX);
}

type Told = Pick<JournalEvent, 'type' | 'data'>;

/** What came of a call, without naming it again. */
export const outcomeOf = (ended: Told, call: Told): string => {
  const [data, called] = [ended, call].map((one) => (isObject(one.data) ? one.data : {}));
  const said =
    called!.name === 'Bash'
      ? ranOf(ended, data!, askedOf(aboutOf(called!.input)))
      : list(ended.type === 'tool.failed' ? 'failed' : 'ok', outcome(data!));
  return oneLine(said.slice(0, 4 * SUMMARY_CHARS_MAX)).slice(0, SUMMARY_CHARS_MAX);
};

function ranOf({ type }: Told, data: Data, asked: Asked): string {
  const { verdict, exitCode, cause } = judgedCall({ type, data: data as never }, asked);
  const word = verdict === 'passed' ? 'ok' : verdict;
  const isTold = exitCode !== null && (exitCode !== 0 || verdict !== 'passed');
  return list(word, isTold ? `exit ${exitCode}` : '', took(data.durationMs), cause);
}

const SUMMARIES: Readonly<Record<string, (data: Data) => string>> = {
  'session.started': (data) => list(text(data, 'source'), text(data, 'cwd'), text(data, 'model')),
  'session.ended': (data) => text(data, 'reason'),
  'prompt.submitted': (data) => text(data, 'text'),
  'message.recorded': (data) =>
    data.kind === 'text'
      ? text(data, 'text')
      : `(${text(data, 'kind')}) ${withoutTags(text(data, 'text'))}`,
  'tool.called': (data) => `${text(data, 'name')} ${callAbout(data.input)}`,
  'tool.succeeded': (data) => list(text(data, 'name'), outcome(data)),
  'tool.failed': (data) => list(text(data, 'name'), outcome(data)),
  'subagent.started': (data) => text(data, 'agentType'),
  'subagent.stopped': (data) => list(text(data, 'agentType'), text(data, 'lastMessage')),
  'compaction.started': (data) => list(text(data, 'trigger'), text(data, 'customInstructions')),
  'compaction.finished': (data) =>
    list(text(data, 'trigger'), shrunk(data), withoutTags(text(data, 'summary'))),
  'turn.ended': (data) => text(data, 'error') || text(data, 'lastMessage'),
  'usage.sampled': (data) =>
    `${number(data, 'inputTokens')} in, ${number(data, 'outputTokens')} out, ` +
    `${number(data, 'cacheReadTokens')} from cache`,
  'transcript.read': (data) =>
    `${number(data, 'records')} records, up to byte ${number(data, 'to')} of ` +
    text(data, 'path').replace(/^.*[/\\]/, ''),
  'fact.enriched': (data) => `of ${text(data, 'of').slice(0, 8)}: ${learned(data)}`,
  'recall.injected': (data) =>
    `${length(data, 'items')} items, ${number(data, 'chars')} characters at ` +
    list(text(data, 'event'), text(data, 'source')),
  'hook.slow': (data) =>
    list(text(data, 'event'), `${number(data, 'ms')} ms`, text(data, 'undone')),
  'context.saved': (data) => `${text(data, 'name')}, up to @${number(data, 'upto')}`,
  'save.deleted': (data) => text(data, 'name'),
  'context.restored': (data) =>
    list(text(data, 'point'), text(data, 'mode'), `${number(data, 'chars')} characters`),
  'context.cleared': (data) => `what was up to @${number(data, 'upto')}`,
  'context.merged': (data) =>
    `${counted(length(data, 'files'), 'file')}, ${text(data, 'strategy')} counts`,
  'snapshot.created': (data) =>
    list(
      text(data, 'snapshot'),
      text(data, 'trigger'),
      `up to @${number(data, 'upto')}`,
      `${number(data, 'bytes')} bytes`,
    ),
  'snapshot.completed': (data) => text(data, 'snapshot'),
  'snapshot.annotated': (data) =>
    list(
      text(data, 'snapshot'),
      data.pinned === undefined ? '' : data.pinned === true ? 'pinned' : 'unpinned',
      data.contentHash === undefined ? '' : 'stored anew',
      Array.isArray(data.tags) ? `tags ${data.tags.join(', ')}` : '',
      text(data, 'note'),
    ),
  'snapshot.removed': (data) => list(text(data, 'snapshot'), text(data, 'why')),
  'preference.retracted': (data) => text(data, 'key'),
  'work.saved': (data) => list(text(data, 'trigger'), text(data, 'taskSummary')),
  'environment.observed': (data) =>
    list(
      counted(length(data, 'things'), 'thing'),
      Array.isArray(data.kinds) ? data.kinds.join(', ') : '',
    ),
  'environment.told': (data) => `changes up to @${number(data, 'upto')}`,
  'pack.created': (data) => list(text(data, 'name'), budgetOf(data)),
  'pack.changed': (data) => list(text(data, 'name'), budgetOf(data)),
  'pack.deleted': (data) => text(data, 'name'),
  'pack.artifact-added': (data) =>
    list(text(data, 'name'), text(data, 'source'), `priority ${number(data, 'priority')}`),
  'pack.artifact-changed': (data) =>
    list(text(data, 'name'), text(data, 'artifact'), `priority ${number(data, 'priority')}`),
  'pack.artifact-removed': (data) => list(text(data, 'name'), text(data, 'artifact')),
  'pack.captured': (data) =>
    list(text(data, 'name'), text(data, 'command'), exit(data.exit), took(data.ms)),
  'pack.snapshotted': (data) =>
    list(
      text(data, 'label') || text(data, 'snapshot'),
      Array.isArray(data.packs) ? data.packs.join(', ') : '',
      `${number(data, 'tokens')} tokens`,
    ),
  'pack.snapshot-removed': (data) => list(text(data, 'snapshot'), text(data, 'why')),
  'pack.given': (data) =>
    list(text(data, 'snapshot'), text(data, 'mode'), `${number(data, 'tokens')} tokens`),
  'context.sampled': (data) => list(`${number(data, 'percent')} %`, text(data, 'via')),
  'context.level-changed': (data) =>
    `${text(data, 'from')} → ${text(data, 'to')} at ${number(data, 'percent')} %`,
  'context.alerted': (data) => list(text(data, 'level'), text(data, 'event'), text(data, 'to')),
  'context.compacting': (data) =>
    list(
      data.isOff === true ? 'off' : 'automatic',
      data.window === undefined ? '' : `${number(data, 'window')} tokens`,
      data.percent === undefined ? '' : `${number(data, 'percent')} %`,
    ),
  'checkpoint.deferred': (data) => list(text(data, 'level'), `up to ${number(data, 'until')} %`),
  'task.estimated': (data) => list(text(data, 'subject'), `${number(data, 'tokens')} tokens`),
  'shards.planned': (data) => list(text(data, 'source'), counted(length(data, 'shards'), 'shard')),
  'checkpoint.begun': (data) => list(text(data, 'level'), text(data, 'trigger')),
  'wip.committed': (data) => list(text(data, 'commit').slice(0, 12), text(data, 'ref')),
  'wip.undone': (data) => text(data, 'commit').slice(0, 12),
  'handoff.created': (data) => list(text(data, 'file'), text(data, 'title')),
  'handoff.resumed': (data) =>
    list(
      text(data, 'handoff'),
      `${number(data, 'holds')} hold, ${number(data, 'changed')} changed`,
    ),
  'loop.started': (data) => list(text(data, 'file'), `at most ${iterationsOf(data)}`),
  'loop.resumed': (data) => `at most ${iterationsOf(data)}`,
  'loop.iteration-started': (data) => `iteration ${number(data, 'n')}`,
  'loop.child-started': (data) => `iteration ${number(data, 'n')}, process ${number(data, 'pid')}`,
  'loop.iteration-finished': (data) =>
    list(`iteration ${number(data, 'n')}`, text(data, 'outcome')),
  'loop.stopped': (data) => text(data, 'reason'),
  'checkpoint.created': (data) => `up to @${number(data, 'upto')}`,
  'erasure.requested': (data) =>
    data.by === 'age'
      ? `events up to @${number(data, 'upto')} removed by retention, ${length(data, 'kept')} kept`
      : list(
          length(data, 'targets') === 0 ? 'files alone' : `${length(data, 'targets')} events`,
          `by ${text(data, 'by')}`,
          text(data, 'rule'),
        ),
  'erasure.done': (data) =>
    `${number(data, 'events')} events, asked for by @${number(data, 'request')}`,
  'event.superseded': (data) => `replaces @${number(data, 'seq')}, partly erased`,
  'journal.based': (data) =>
    `the state of ${text(data, 'projection')} at @${number(data, 'upto')}, in place of removed events`,
  'hook.received': (data) => text(data, 'event'),
  'journal.repaired': (data) => (data.kind === 'repair' ? mended(data) : recovered(data)),
  'journal.copied': (data) =>
    `this journal is a copy, ${text(data, 'origin').slice(0, 8)}, of ${text(data, 'from').slice(0, 8)}`,
};

const text = (data: Data, name: string): string => textOf(data[name]) ?? '';

const number = (data: Data, name: string): string =>
  typeof data[name] === 'number' ? grouped(data[name]) : '?';

const budgetOf = ({ policy }: Data): string =>
  isObject(policy) && typeof policy.budgetTokens === 'number'
    ? `at most ${number(policy, 'budgetTokens')} tokens`
    : 'no limit';

/** The client's tags repeat names: `<command-name>/compact</command-name>`. */
const withoutTags = (given: string): string =>
  given
    .replace(/<command-message>[^<]*<\/command-message>/, ' ')
    .replace(/<\/?[a-z][a-z-]*>/g, ' ')
    .trim();

/** The end of a long path says most. */
function callAbout(input: unknown): string {
  const about = aboutOf(input);
  return about === fileOf(input) ? about.replace(/^.*[/\\]([^/\\]+[/\\][^/\\]+)$/, '…/$1') : about;
}

const grouped = (value: number): string =>
  /^\d+$/.test(String(value)) ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',') : String(value);

const length = (data: Data, name: string): number => {
  const value = data[name];
  return Array.isArray(value) ? value.length : 0;
};

const list = (...parts: string[]): string => parts.filter((part) => part !== '').join(' · ');

function took(ms: unknown): string {
  if (typeof ms !== 'number') return '';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const outcome = (data: Data): string =>
  data.error === undefined
    ? list(took(data.durationMs), firstLine(data.response))
    : list(exit(data.exitCode), took(data.durationMs), withoutExit(text(data, 'error')));

const exit = (code: unknown): string => (typeof code === 'number' ? `exit ${code}` : '');

/** The text repeats the exit code. */
const withoutExit = (error: string): string => error.replace(/^Exit code \d+\s*/, '');

const firstLine = (response: unknown): string =>
  answerText(response).trimStart().split('\n', 1)[0] ?? '';

function shrunk(data: Data): string {
  const { preTokens, postTokens } = data;
  if (typeof preTokens !== 'number') return '';
  const after = typeof postTokens === 'number' ? ` to ${number(data, 'postTokens')}` : '';
  return `from ${number(data, 'preTokens')}${after} tokens`;
}

/** Version 2: what `ben10 repair` did, and what was lost. */
function mended(data: Data): string {
  const lost = Array.isArray(data.lost) ? data.lost.filter(isObject) : [];
  const ranges = lost.flatMap(({ firstSeq, lastSeq }) =>
    typeof firstSeq === 'number' && typeof lastSeq === 'number' ? [[firstSeq, lastSeq]] : [],
  );
  const events = ranges.reduce((sum, [first = 0, last = 0]) => sum + last - first + 1, 0);
  const texts = lost.length - ranges.length;
  const gone = [
    ...(events > 0 ? [counted(events, 'event')] : []),
    ...(texts > 0 ? [counted(texts, 'large text')] : []),
  ];
  return list(
    `${counted(length(data, 'repaired'), 'place')} repaired`,
    `${counted(length(data, 'kept'), 'piece')} set aside`,
    gone.length > 0 ? `lost for good: ${gone.join(', ')}` : noLoss(data),
  );
}

/** Events cut off after the last whole one cannot be counted. */
function noLoss({ repaired }: Data): string {
  const isCut = ({ kind, action }: Data) => kind === 'tail' && action === 'cut';
  return Array.isArray(repaired) && repaired.filter(isObject).some(isCut)
    ? 'events may have been cut off at the end'
    : 'nothing lost';
}

const iterationsOf = ({ limits }: Data): string =>
  isObject(limits) ? `${number(limits, 'max')} iterations` : '? iterations';

const counted = (n: number, one: string): string => `${grouped(n)} ${n === 1 ? one : `${one}s`}`;

/** Version 1: what an append repaired. */
function recovered(data: Data): string {
  const kind = text(data, 'kind');
  return list(
    RECOVERED.get(kind) ?? kind,
    text(data, 'segment'),
    `${number(data, 'bytes')} bytes from byte ${number(data, 'offset')} on`,
  );
}

const RECOVERED: ReadonlyMap<string, string> = new Map([
  ['torn-tail', 'an unfinished end was cut off and set aside'],
  ['lost-durable', 'events that had been on disk are gone; a new segment goes on'],
  ['bad-header', 'a damaged header; a new segment goes on'],
  ['manifest', 'the manifest was damaged or lost; it was put right or made anew'],
]);

function learned(data: Data): string {
  const more = isObject(data.more) ? Object.keys(data.more) : [];
  const place = data.trace === undefined ? [] : ['its place in the transcript'];
  return [...place, ...more].join(', ');
}

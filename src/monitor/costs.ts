import { hasShape } from '../events/shape.ts';
import type { HandoffCreated, ToolCalled, UsageSampled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { type Fact, foldedBy } from '../projections/contract.ts';
import { readEvents } from '../projections/events.ts';
import { isChange } from '../projections/folds/files.ts';
import { workMinutes } from '../projections/growth.ts';
import { fileOf, isObject, stringOf } from '../projections/tools-text.ts';

/** What was done again within the first calls behind a new context. */
const nothing = () => ({
  /** Compactions or resumed handoffs. */
  times: 0,
  /** Files read again that were read before, and commands run again. */
  reads: 0,
  commands: 0,
  /** By how much the context had grown when the last of that was done, and the minutes of work until then. */
  tokens: 0,
  minutes: 0,
});
export type Redone = ReturnType<typeof nothing>;

/** A context that began anew, and what became of it. */
export interface Renewal extends Redone {
  kind: 'compaction' | 'handoff';
  session: string;
  seq: number;
  at: number;
  /** Soon it edited a file or worked on a todo that the handoff names, and read little that was known. */
  isGood: boolean;
}

/** Calls behind a new context that are looked at. */
const CALLS = 30;
const CALLS_OF_RESUME = 15;
/** A good resume reads less than such a part of its files although they were known. */
const KNOWN_READS = 1 / 5;
const KEPT = 5000;
const RENEWALS_MAX = 10_000;

interface Thread {
  /** Files that were read, and commands. */
  known: Set<string>;
  /** Files as they were read, and not edited since. */
  unchanged: Set<string>;
  at: number;
  renewed: Renewed | undefined;
}

type Renewed = ReturnType<typeof renewedBy>;

/** The newest renewal of a thread, while its first calls come. */
const renewedBy = (renewal: Renewal, names: Names | undefined, before: Thread | undefined) => ({
  ...{ renewal, names },
  /** What was known before, and is not done again yet. */
  known: new Set(before?.known),
  unchanged: new Set(before?.unchanged),
  calls: 0,
  /** Files that it read, and those of them that were unchanged. */
  reads: 0,
  again: 0,
  isHit: false,
  /** Tokens of its first message. */
  from: undefined as number | undefined,
  minutes: 0,
  /** Something was done again since the last message. */
  isCounting: false,
});

interface Found {
  renewals: Renewal[];
  /** By session. */
  threads: Map<string, Thread>;
  handoffs: Map<string, Names>;
}

/** Of main threads, in whose events there is a session. */
const FOLD = foldedBy<Found>({
  'tool.called': (found, fact) => called(threadAt(found, fact), fact.data),
  'usage.sampled': (found, fact) => used(threadAt(found, fact), fact.data),
  'compaction.finished': (found, fact) => {
    begin(found, fact, 'compaction', found.threads.get(fact.session!));
  },
  'handoff.created': (found, fact) => {
    threadAt(found, fact);
    found.handoffs.set(fact.data.checkpoint, namedBy(fact));
  },
  'handoff.resumed': (found, fact) => {
    const names = found.handoffs.get(fact.data.handoff);
    const before = names && found.threads.get(names.session);
    begin(found, fact, 'handoff', before, names);
  },
});

/** Every compaction and resumed handoff, the newest last. @param since milliseconds since the epoch */
export function renewalsOf({ reader, ports }: Project, since = 0): Renewal[] {
  const found: Found = { renewals: [], threads: new Map(), handoffs: new Map() };
  for (const event of readEvents(reader, ports.xxh64, { types: FOLD.types }))
    if (event.session !== null && event.agent === null && hasShape(event))
      FOLD.apply(found, event as unknown as Fact);
  return found.renewals.filter(({ at }) => at >= since).slice(-RENEWALS_MAX);
}

/** The thread of an event, whose time it is now. */
function threadAt({ threads }: Found, { session, at: said }: Fact): Thread {
  const known = threads.get(session!);
  const thread = known ?? { known: new Set(), unchanged: new Set(), at: 0, renewed: undefined };
  // Some events have no time.
  const at = (said as number | null) ?? thread.at;
  if (thread.renewed !== undefined) thread.renewed.minutes += workMinutes(thread.at, at);
  thread.at = at;
  threads.set(session!, thread);
  return thread;
}

function begin(
  found: Found,
  fact: Fact,
  kind: Renewal['kind'],
  before: Thread | undefined,
  names?: Names,
): void {
  const thread = threadAt(found, fact);
  const about = { kind, session: fact.session!, seq: fact.seq, at: thread.at };
  const renewal: Renewal = { ...about, ...nothing(), times: 1, isGood: false };
  found.renewals.push(renewal);
  thread.renewed = renewedBy(renewal, names, before);
}

type Names = ReturnType<typeof namedBy>;

/** What a handoff names, and the session that wrote it. */
function namedBy({ session, data: { claims } }: Fact<HandoffCreated>) {
  const subjects = (kind: string) =>
    claims.flatMap((claim) => (claim.kind === kind ? String(claim.subject) : []));
  return { session: session!, files: subjects('file'), todos: subjects('todo') };
}

function called(thread: Thread, { name, input }: ToolCalled): void {
  const { known, unchanged, renewed } = thread;
  const file = fileOf(input);
  const isRead = name === 'Read' && file !== undefined;
  const command = isObject(input) ? stringOf(input.command) : undefined;
  const what = isRead ? `read ${file}` : command && `$ ${command}`;
  const n = renewed === undefined ? 0 : ++renewed.calls;
  if (renewed?.names && n <= CALLS_OF_RESUME) resumed(renewed, renewed.names, name, input);
  if (renewed && what && n <= CALLS && renewed.known.delete(what)) {
    renewed.renewal[isRead ? 'reads' : 'commands'] += 1;
    renewed.isCounting = true;
  }
  if (what && known.size < KEPT) known.add(what);
  if (isRead && unchanged.size < KEPT) unchanged.add(file);
  if (file !== undefined && isChange(name)) unchanged.delete(file);
}

function resumed(renewed: Renewed, { files, todos }: Names, name: string, input: unknown): void {
  const file = fileOf(input) ?? '';
  if (name === 'Read') {
    renewed.reads += 1;
    if (renewed.unchanged.has(file)) renewed.again += 1;
  }
  const isNamed = files.some((one) => file === one || file.endsWith(`/${one}`));
  const isInWork = todosIn(input).some((todo) => todos.includes(todo));
  renewed.isHit ||= isInWork || (isNamed && isChange(name));
  const isLittle = renewed.again === 0 || renewed.again < renewed.reads * KNOWN_READS;
  renewed.renewal.isGood = renewed.isHit && isLittle;
}

/** What a call says is in work or done. */
function todosIn(input: unknown): string[] {
  if (!isObject(input)) return [];
  const all = Array.isArray(input.todos) ? input.todos.filter(isObject) : [input];
  return all
    .filter(({ status }) => status === 'in_progress' || status === 'completed')
    .flatMap(({ content, subject }) => stringOf(content) ?? stringOf(subject) ?? []);
}

/** What a call brought is in the context of the next message. */
function used({ renewed }: Thread, data: UsageSampled): void {
  const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
  if (renewed === undefined || !(tokens > 0)) return;
  renewed.from ??= tokens;
  if (!renewed.isCounting) return;
  renewed.isCounting = false;
  renewed.renewal.tokens = Math.max(0, tokens - renewed.from);
  renewed.renewal.minutes = renewed.minutes;
}

export type Costs = ReturnType<typeof costsOf>;

export function costsOf(renewals: readonly Renewal[]) {
  const sum = (kind: Renewal['kind']): Redone => {
    const all = nothing();
    for (const one of renewals)
      if (one.kind === kind)
        for (const key of Object.keys(all) as (keyof Redone)[]) all[key] += one[key];
    return all;
  };
  return { afterCompactions: sum('compaction'), afterHandoffs: sum('handoff') };
}

const DAY_MS = 86_400_000;

/** The Monday of a time's week. */
const weekOf = ({ at }: Renewal): string =>
  new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);

/** The same by week and by session, the oldest first. */
export function costsBy(renewals: readonly Renewal[], by: 'week' | 'session') {
  const nameOf = (one: Renewal) => (by === 'week' ? weekOf(one) : one.session);
  return [...new Set(renewals.map(nameOf))].map((name) => ({
    name,
    ...costsOf(renewals.filter((one) => nameOf(one) === name)),
  }));
}

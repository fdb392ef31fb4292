import { hasShape } from '../events/shape.ts';
import type {
  CompactionFinished,
  HandoffCreated,
  HandoffResumed,
  JournalEvent,
  ToolCalled,
  UsageSampled,
} from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { workMinutes } from '../projections/growth.ts';
import { fileOf, isObject, stringOf } from '../projections/tools-text.ts';

/** What was done again within the first calls behind a new context. */
export interface Redone {
  /** Compactions or resumed handoffs. */
  times: number;
  /** Files read again that were read before, and commands run again. */
  reads: number;
  commands: number;
  /** By how much the context had grown when the last of that was done, and the minutes of work until then. */
  tokens: number;
  minutes: number;
}

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
const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const TYPES = [
  ...['tool.called', 'usage.sampled', 'compaction.finished', 'handoff.created', 'handoff.resumed'],
];

/** What a handoff names, and the session that wrote it. */
interface Names {
  session: string;
  files: string[];
  todos: Set<string>;
}

interface Thread {
  known: Set<string>;
  /** Files as they were read, and not edited since. */
  unchanged: Set<string>;
  at: number;
  tokens: number;
  renewed: Renewed | undefined;
}

/** The newest renewal of a thread, while its first calls come. */
interface Renewed {
  renewal: Renewal;
  before: Set<string>;
  calls: number;
  from: number | undefined;
  minutes: number;
  isCounting: boolean;
  resume:
    | { names: Names; unchanged: Set<string>; reads: number; again: number; hit: boolean }
    | undefined;
}

/** Every compaction and resumed handoff, the newest last. @param since milliseconds since the epoch */
export function renewalsOf({ reader, ports }: Project, since = 0): Renewal[] {
  const found = new Renewals();
  for (const event of readEvents(reader, ports.xxh64, { types: TYPES }))
    if (event.session !== null && event.agent === null && hasShape(event))
      found.add(event, event.session);
  return found.all.filter(({ at }) => at >= since).slice(-RENEWALS_MAX);
}

class Renewals {
  readonly all: Renewal[] = [];
  readonly #threads = new Map<string, Thread>();
  readonly #handoffs = new Map<string, Names>();
  #compacted = '';

  add(event: JournalEvent, session: string): void {
    const thread = this.#thread(session);
    const at = event.at ?? thread.at;
    const { renewed } = thread;
    if (renewed !== undefined) renewed.minutes += workMinutes(thread.at, at);
    thread.at = at;
    if (event.type === 'tool.called') called(thread, event.data as ToolCalled);
    else if (event.type === 'usage.sampled') used(thread, event.data as UsageSampled);
    else if (event.type === 'handoff.created')
      this.#handoffs.set((event.data as HandoffCreated).checkpoint, named(event, session));
    else if (event.type === 'compaction.finished') this.#compaction(event, session, thread);
    else this.#resume(event, session, thread);
  }

  #thread(session: string): Thread {
    const known = this.#threads.get(session);
    if (known !== undefined) return known;
    const added = { known: new Set<string>(), unchanged: new Set<string>(), at: 0, tokens: 0 };
    const thread = { ...added, renewed: undefined };
    this.#threads.set(session, thread);
    return thread;
  }

  #compaction(event: JournalEvent, session: string, thread: Thread): void {
    // Hook and transcript both tell of it.
    const { preTokens } = event.data as CompactionFinished;
    const name = `${session} ${preTokens ?? Math.round(thread.at / 60_000)}`;
    if (name !== this.#compacted)
      this.#begin('compaction', event, session, thread, new Set(thread.known));
    this.#compacted = name;
  }

  #resume(event: JournalEvent, session: string, thread: Thread): void {
    const names = this.#handoffs.get((event.data as HandoffResumed).handoff);
    const old = names && this.#thread(names.session);
    const renewed = this.#begin('handoff', event, session, thread, new Set(old?.known));
    if (names === undefined) return;
    renewed.resume = { names, unchanged: new Set(old?.unchanged), reads: 0, again: 0, hit: false };
  }

  #begin(
    kind: Renewal['kind'],
    { seq }: JournalEvent,
    session: string,
    thread: Thread,
    before: Set<string>,
  ): Renewed {
    const none = { times: 1, reads: 0, commands: 0, tokens: 0, minutes: 0, isGood: false };
    const renewal: Renewal = { kind, session, seq, at: thread.at, ...none };
    this.all.push(renewal);
    const start = { calls: 0, from: undefined, minutes: 0, isCounting: false, resume: undefined };
    thread.renewed = { renewal, before, ...start };
    return thread.renewed;
  }
}

function named({ data }: JournalEvent, session: string): Names {
  const { claims } = data as HandoffCreated;
  const subjects = (kind: string) =>
    claims.flatMap((claim) => (claim.kind === kind ? String(claim.subject) : []));
  return { session, files: subjects('file'), todos: new Set(subjects('todo')) };
}

function called(thread: Thread, { name, input }: ToolCalled): void {
  const file = fileOf(input);
  const isRead = name === 'Read' && file !== undefined;
  const command = isObject(input) ? stringOf(input.command) : undefined;
  const what = isRead ? `read ${file}` : command && `$ ${command}`;
  const { renewed } = thread;
  if (renewed !== undefined) {
    renewed.calls += 1;
    if (renewed.resume && renewed.calls <= CALLS_OF_RESUME) resumed(renewed, name, input);
    if (what && renewed.calls <= CALLS && renewed.before.delete(what)) {
      renewed.renewal[isRead ? 'reads' : 'commands'] += 1;
      renewed.isCounting = true;
    }
  }
  if (what && thread.known.size < KEPT) thread.known.add(what);
  if (isRead && thread.unchanged.size < KEPT) thread.unchanged.add(file);
  if (file !== undefined && EDITS.has(name)) thread.unchanged.delete(file);
}

function resumed({ renewal, resume }: Renewed, name: string, input: unknown): void {
  const { names, unchanged } = resume!;
  const file = fileOf(input) ?? '';
  if (name === 'Read') {
    resume!.reads += 1;
    if (unchanged.has(file)) resume!.again += 1;
  }
  const isNamed = names.files.some((one) => file === one || file.endsWith(`/${one}`));
  if (EDITS.has(name) && isNamed) resume!.hit = true;
  if (todosIn(input).some((todo) => names.todos.has(todo))) resume!.hit = true;
  const isLittle = resume!.again === 0 || resume!.again < resume!.reads * KNOWN_READS;
  renewal.isGood = resume!.hit && isLittle;
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

export interface Costs {
  afterCompactions: Redone;
  afterHandoffs: Redone;
}

export function costsOf(renewals: readonly Renewal[]): Costs {
  const sum = (kind: Renewal['kind']): Redone => {
    const none = { times: 0, reads: 0, commands: 0, tokens: 0, minutes: 0 };
    for (const one of renewals)
      if (one.kind === kind)
        for (const key of Object.keys(none) as (keyof Redone)[]) none[key] += one[key];
    return none;
  };
  return { afterCompactions: sum('compaction'), afterHandoffs: sum('handoff') };
}

const DAY_MS = 86_400_000;

/** The Monday of a time's week. */
const weekOf = ({ at }: Renewal): string =>
  new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);

/** The same by week and by session, the oldest first. */
export function costsBy(renewals: readonly Renewal[], by: 'week' | 'session') {
  const parts = new Map<string, Renewal[]>();
  for (const one of renewals) {
    const name = by === 'week' ? weekOf(one) : one.session;
    parts.set(name, [...(parts.get(name) ?? []), one]);
  }
  return [...parts].map(([name, some]) => ({ name, ...costsOf(some) }));
}

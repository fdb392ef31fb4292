import type { PromptSubmitted, SessionStarted, TranscriptRead } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import { shortId } from '../frontier.ts';
import { ACTIVE_TYPES } from '../last-active.ts';
import { textOf } from '../tools-text.ts';

export interface SessionRecord {
  session: string;
  client: string | null;
  cwd: string | null;
  transcriptPath: string | null;
  /** Of its last start: startup, resume, clear, compact or fork. */
  source: string | null;
  firstAt: number;
  lastAt: number;
  firstSeq: number;
  lastSeq: number;
  /** Null while it runs, or when it was killed. */
  endedAt: number | null;
  /** The last reading of its transcripts ran out of time. */
  isUnread: boolean;
  starts: number;
  prompts: number;
  toolCalls: number;
  compactions: number;
  title: string;
}

export interface SessionsState {
  /** By session id; the last active is last. */
  sessions: Record<string, SessionRecord>;
  count: number;
  /** `shortId`s of the newest facts: a repeated one is not counted again. */
  recent: string[];
}

const SESSIONS_MAX = 1000;
const RECENT_SESSIONS_MAX = 50;
const TITLE_CHARS = 120;
const NAME_CHARS = 200;
const PATH_CHARS = 4096;
const CHARS_MAX = 700_000;
const RECENT_MAX = 100;
const COUNTED = new Set(['prompt.submitted', 'tool.called', 'compaction.finished']);

/** All sessions of the project. It counts arrivals, so order does not matter. */
export const sessions = sessionsFold('sessions', SESSIONS_MAX);
/** Only the newest, because a hook has no time to read a thousand. */
export const recentSessions = sessionsFold('recent-sessions', RECENT_SESSIONS_MAX);

function sessionsFold(name: string, max: number): Projection<SessionsState> {
  return {
    name,
    version: 3,
    scope: 'project',
    types: [...ACTIVE_TYPES, 'transcript.read'],
    initial: () => ({ sessions: {}, count: 0, recent: [] }),
    apply: (state, fact) => applySession(state, fact, max),
  };
}

function applySession(state: SessionsState, fact: Fact, max: number): SessionsState {
  if (fact.session === null || isRepeated(state, fact)) return state;
  const record = touch(state, fact, headOf(fact.session, NAME_CHARS), max);
  if (fact.type === 'session.started') started(record, fact as Fact<SessionStarted>);
  else if (fact.type === 'session.ended') record.endedAt = fact.at;
  else if (fact.type === 'prompt.submitted') prompted(record, fact as Fact<PromptSubmitted>);
  else if (fact.type === 'tool.called') record.toolCalls += 1;
  else if (fact.type === 'compaction.finished') record.compactions += 1;
  else if (fact.type === 'transcript.read') wasRead(record, fact as Fact<TranscriptRead>);
  return state;
}

function isRepeated(state: SessionsState, { type, id }: Fact): boolean {
  if (!COUNTED.has(type)) return false;
  if (state.recent.includes(shortId(id))) return true;
  state.recent.push(shortId(id));
  if (state.recent.length > RECENT_MAX) state.recent.shift();
  return false;
}

function touch(state: SessionsState, fact: Fact, session: string, max: number): SessionRecord {
  const key = keyOf(session);
  const known = fieldOf(state.sessions, session);
  // Reading a transcript says nothing about when its session was active.
  if (known !== undefined && fact.type === 'transcript.read') return known;
  const record = known ?? newRecord(fact, session);
  record.firstAt = Math.min(record.firstAt, fact.at || record.firstAt);
  record.lastAt = Math.max(record.lastAt, fact.at);
  record.lastSeq = fact.seq;
  delete state.sessions[key];
  state.sessions[key] = record;
  if (known !== undefined) return record;
  state.count += 1;
  dropOldest(state.sessions, max);
  dropLarge(state.sessions);
  return record;
}

/** Bounds the state where many paths are long. */
function dropLarge(records: Record<string, SessionRecord>): void {
  const all = Object.entries(records);
  let chars = all.reduce((sum, [, record]) => sum + charsOf(record), 0);
  for (const [key, record] of all) {
    if (chars <= CHARS_MAX) break;
    delete records[key];
    chars -= charsOf(record);
  }
}

const charsOf = ({ session, cwd, transcriptPath, title }: SessionRecord): number =>
  2 * session.length + (cwd?.length ?? 0) + (transcriptPath?.length ?? 0) + title.length;

const newRecord = (fact: Fact, session: string): SessionRecord => ({
  session,
  client: fact.client,
  cwd: null,
  transcriptPath: null,
  source: null,
  firstAt: fact.at,
  lastAt: fact.at,
  firstSeq: fact.seq,
  lastSeq: fact.seq,
  endedAt: null,
  isUnread: false,
  starts: 0,
  prompts: 0,
  toolCalls: 0,
  compactions: 0,
  title: '',
});

const pathOf = (path: string | undefined): string | null =>
  path === undefined ? null : headOf(path, PATH_CHARS);

function started(record: SessionRecord, { data }: Fact<SessionStarted>): void {
  record.source = headOf(data.source, NAME_CHARS);
  record.cwd = pathOf(data.cwd) ?? record.cwd;
  record.transcriptPath = pathOf(data.transcriptPath) ?? record.transcriptPath;
  record.endedAt = null;
  if (data.source !== 'compact') record.starts += 1;
}

function wasRead(record: SessionRecord, { data, agent }: Fact<TranscriptRead>): void {
  record.isUnread = data.partial === true;
  if (agent === null) record.transcriptPath ??= headOf(data.path, PATH_CHARS);
}

function prompted(record: SessionRecord, { data, agent }: Fact<PromptSubmitted>): void {
  if (agent !== null) return;
  record.prompts += 1;
  record.cwd ??= pathOf(data.cwd);
  if (record.title !== '') return;
  record.title = headOf((textOf(data.text) ?? '').replace(/\s+/g, ' ').trim(), TITLE_CHARS);
}

import type { PromptSubmitted, SessionStarted, TranscriptRead } from '../../events/types.ts';
import { type Fact, headOf, keyOf, type Projection } from '../contract.ts';

export interface SessionRecord {
  session: string;
  client: string | null;
  cwd: string | null;
  transcriptPath: string | null;
  /** Of its last start: startup, resume, clear, compact, fork. */
  source: string | null;
  firstAt: number;
  lastAt: number;
  firstSeq: number;
  lastSeq: number;
  /** Null while it goes on, and for one that was killed. */
  endedAt: number | null;
  starts: number;
  prompts: number;
  toolCalls: number;
  compactions: number;
  /** How its first prompt starts. */
  title: string;
}

export interface SessionsState {
  /** By session id, last active last. */
  sessions: Record<string, SessionRecord>;
  count: number;
}

const SESSIONS_MAX = 1000;
const TITLE_CHARS = 120;

/** Which sessions there were. The one projection over the whole project; it counts arrivals, so order is no matter. */
export const sessions: Projection<SessionsState> = {
  name: 'sessions',
  version: 1,
  scope: 'project',
  types: [
    'session.started',
    'session.ended',
    'prompt.submitted',
    'tool.called',
    'compaction.finished',
    'turn.ended',
    'transcript.read',
  ],
  initial: () => ({ sessions: {}, count: 0 }),
  apply(state, fact) {
    if (fact.session === null) return state;
    const record = touch(state, fact, fact.session);
    if (fact.type === 'session.started') started(record, fact as Fact<SessionStarted>);
    else if (fact.type === 'session.ended') record.endedAt = fact.at;
    else if (fact.type === 'prompt.submitted') prompted(record, fact as Fact<PromptSubmitted>);
    else if (fact.type === 'tool.called') record.toolCalls += 1;
    else if (fact.type === 'compaction.finished') record.compactions += 1;
    else if (fact.type === 'transcript.read' && fact.agent === null) {
      record.transcriptPath ??= (fact.data as TranscriptRead).path;
    }
    return state;
  },
};

function touch(state: SessionsState, fact: Fact, session: string): SessionRecord {
  const key = keyOf(session);
  const known = Object.hasOwn(state.sessions, key) ? state.sessions[key] : undefined;
  const record = known ?? newRecord(fact, session);
  if (known === undefined) state.count += 1;
  record.firstAt = Math.min(record.firstAt, fact.at || record.firstAt);
  record.lastAt = Math.max(record.lastAt, fact.at);
  record.lastSeq = fact.seq;
  delete state.sessions[key];
  state.sessions[key] = record;
  const keys = Object.keys(state.sessions);
  if (keys.length > SESSIONS_MAX) delete state.sessions[keys[0]!];
  return record;
}

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
  starts: 0,
  prompts: 0,
  toolCalls: 0,
  compactions: 0,
  title: '',
});

function started(record: SessionRecord, { data }: Fact<SessionStarted>): void {
  record.source = data.source;
  record.cwd = data.cwd ?? record.cwd;
  record.transcriptPath = data.transcriptPath ?? record.transcriptPath;
  record.endedAt = null;
  if (data.source !== 'compact') record.starts += 1;
}

function prompted(record: SessionRecord, { data, agent }: Fact<PromptSubmitted>): void {
  if (agent !== null) return;
  record.prompts += 1;
  record.cwd ??= data.cwd ?? null;
  if (record.title === '')
    record.title = headOf(data.text.replace(/\s+/g, ' ').trim(), TITLE_CHARS);
}

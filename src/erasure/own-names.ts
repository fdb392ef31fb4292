import { CATALOGUE } from '../events/catalogue.ts';
import { type EventKind, fieldNames, holdsText } from '../events/fields.ts';
import { isOf } from '../events/shape.ts';
import type { Source } from '../events/types.ts';
import { COPIED_TYPE, REPAIRED_TYPE } from '../journal/append/own-events.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../journal/erase/events.ts';

/** Fields of states that stand for dropped events: without its names nobody can read one. */
const STATE_FIELDS = `abandoned abandonedCount about action after agents aside asked before begun believed byAgent byHook byModel
calls changed changedSeq changes cleared code compactingSince compactionCount content contextTokens conversation
corrections count counts createdAt decisions description directory dropped earlierPrompts edits end endedAt failed failure failures fast
fileReferences files firstAt firstSeq folded forkedAt given hasFailed hash head heldUntil homes id injected isStrict isTraced isUnread known
lastAction lastAt lastSeq lastTool lastUndone line lines linesAdded linesRemoved mark mended merged messageCount messages
metadata names numbers older open otherTells outcome outcomeSeq outcomes owed ownCalls place position preferences prints projection prompted
rank reached reads recent refuted result rules runs said saidAt saidSeq seqs sessions shown slow slowest starts status subagents subject
suspected taskReferences tasks text texts thread threads tick time times timestamp title tokenCount told tool toolCalls tools total traced
tried unanswered untraced updatedAt usage uses verdict view weight whole work worked worktrees writes zeroTells`;

/** Of packs: their state, and the items of a payload. */
const PACK_FIELDS =
  'added artifacts capture snapshots kind source label path lines from to offset bytes tokens sha256 redactions changes artifact badBytes cleaned isCut isEnded';

/** Of how contexts were used, and how large tasks were. */
const MONITOR_FIELDS =
  'points every message compactedAt windows waiting compaction rewinds segment isRough firstTokens rewoundFrom compacting epochs hints edit call test hasPassed done isPlanning prompt words isSplit finished what todosDone loops spent iterations minutes stopped child delivered issues url comment attachment';

const KINDS = new Map<string, EventKind>(Object.entries(CATALOGUE));
const TYPES: ReadonlySet<string> = new Set(KINDS.keys());
/** Fields that ben10 named: no secret is one of them, and a secret inside of one would be found in every event. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...[...KINDS.values()].flatMap(({ fields }) => fieldNames(fields)),
  ...['$blob', 'bytes', 'head'],
  ...`${STATE_FIELDS} ${PACK_FIELDS} ${MONITOR_FIELDS}`.split(/\s+/),
]);

/** Whether a field holds ids, names and numbers alone: no pattern is meant for it. */
export function isNaming(type: string, field: string, value: unknown): boolean {
  const kind = KINDS.get(type)?.fields[field];
  return kind !== undefined && !holdsText(kind) && isOf(value, kind);
}

/** Sources and clients of events. */
const WITNESSES: ReadonlySet<string> = new Set([
  'claude-code',
  ...(['hook', 'mcp-hook', 'transcript', 'tool', 'cli', 'import', 'journal'] satisfies Source[]),
]);

/** Whether the whole text is the name of an event type. */
export const isOwnType = (text: string): boolean => TYPES.has(text);
/** Whether it is a source or a client. */
export const isOwnWitness = (text: string): boolean => WITNESSES.has(text);

/**
 * The journal's own events hold no content, and others depend on them: the states of dropped events, the
 * explanations of gaps. They stay even if chosen, and no pattern is matched with their ids.
 */
const ACCOUNTS: ReadonlySet<string | null> = new Set([
  REQUESTED_TYPE,
  DONE_TYPE,
  REPAIRED_TYPE,
  COPIED_TYPE,
]);

export const isAccount = (type: string | null): boolean => ACCOUNTS.has(type);

/** Names that occur in events whatever they say. */
export const OWN_NAMES: readonly string[] = [...OWN_FIELDS, ...TYPES, ...WITNESSES];

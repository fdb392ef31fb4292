import type { ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { compileOnce } from '../../platform/machine-code.ts';
import { fieldOf, headOf, keyOf } from '../bounds.ts';
import type { Fact } from '../contract.ts';
import { decisiveLine, wholeFrom } from '../decisive-line.ts';
import { hasEnded } from '../tools-text.ts';
import { KEPT_STEPS } from './evidence-notes.ts';

/** The newest outcome of a command, or of another tool's failed call. */
export interface OutcomeRecord {
  name: string;
  about: string;
  agent: string | null;
  seq: number;
  at: number;
  tick: number;
  failed: boolean;
  exitCode: number | null;
  /** The most telling line of its output. */
  line: string;
  runs: number;
  /** Failures since it last passed, and the files changed in between. */
  failures: number;
  tried: string[];
  pos: number | null;
}

export interface OpenCall {
  name: string;
  about: string;
  file: string | null;
  agent: string | null;
  pos: number | null;
}

const OUTCOMES_MAX = 400;
const OUTCOMES_SLACK = 100;
const LINE_CHARS = 240;
const TRIED_MAX = 3;
/** Parts of an output that are searched. */
const HEAD_CHARS = 9000;
const TAIL_CHARS = 3000;

/** Commands that only look: their outcome matters little later. */
const LOOKS =
  /^(?:cd \S+ && )?(?:ls|cat|head|tail|pwd|cd|echo|wc|which|tree|find|grep|rg|sed -n|file|stat|du|df|date|whoami|env|ps|sleep|mkdir|touch|git (?:status|diff|log|show|branch|add|blame|remote|tag|ls-files|rev-parse|stash list)|(?:npm|pip3?|docker|cargo) (?:ls|list|ps|images|show|tree|outdated)|kubectl get)\b/;
/** A following command that does more than shape an output. */
const GOES_ON = /[|;&]{1,2}\s*(?!head|tail|grep|wc|sort|cat|echo)\w/;

const OFTEN = [LOOKS, GOES_ON];
export const looksAround = (command: string): boolean => {
  compileOnce(OFTEN);
  return LOOKS.test(command) && !GOES_ON.test(command);
};

/** @param changed files changed since the last outcome; @param tick the current step */
export function withOutcome(
  outcomes: Record<string, OutcomeRecord>,
  call: OpenCall,
  { text, changed, tick }: { text: string; changed: readonly string[]; tick: number },
  fact: Fact<ToolSucceeded | ToolFailed>,
): Record<string, OutcomeRecord> {
  const key = keyOf(`${call.name} ${call.about}`);
  const failed = fact.type === 'tool.failed';
  const before = fieldOf(outcomes, key);
  const again = failed && before?.failed === true;
  const isCut = text.length > HEAD_CHARS + TAIL_CHARS;
  const head = isCut ? text.slice(0, HEAD_CHARS) : text;
  const tail = isCut ? wholeFrom(text.slice(-TAIL_CHARS)) : '';
  const { name, about, agent, pos } = call;
  delete outcomes[key];
  outcomes[key] = {
    name,
    about,
    agent,
    seq: fact.seq,
    at: fact.at,
    tick,
    failed,
    exitCode: exitCodeOf(call, fact),
    line: headOf(decisiveLine(head, tail, failed), LINE_CHARS),
    runs: (before?.runs ?? 0) + 1,
    failures: failed ? (before?.failures ?? 0) + 1 : 0,
    tried: again ? [...new Set([...before.tried, ...changed])].slice(-TRIED_MAX) : [],
    pos,
  };
  return withinBounds(outcomes, tick);
}

function withinBounds(
  outcomes: Record<string, OutcomeRecord>,
  tick: number,
): Record<string, OutcomeRecord> {
  const all = Object.entries(outcomes);
  if (all.length <= OUTCOMES_MAX + OUTCOMES_SLACK) return outcomes;
  const worth = ({ failed, about, runs, tick: last }: OutcomeRecord) =>
    (failed ? 3 : looksAround(about) ? 0.2 : 1) *
    (1 + Math.log2(runs)) *
    0.5 ** ((tick - last) / KEPT_STEPS);
  all.sort(([, a], [, b]) => worth(b) - worth(a) || b.seq - a.seq);
  const kept = all.slice(0, OUTCOMES_MAX).sort(([, a], [, b]) => a.seq - b.seq);
  return Object.fromEntries(kept);
}

function exitCodeOf({ name }: OpenCall, { type, data }: Fact<ToolSucceeded | ToolFailed>) {
  if (type === 'tool.failed') return (data as ToolFailed).exitCode ?? null;
  return name === 'Bash' && hasEnded((data as ToolSucceeded).response) ? 0 : null;
}

import { fieldOf, headOf, keyOf } from '../bounds.ts';
import type { Fact } from '../contract.ts';
import { type Asked, looksAround } from '../outcome/command.ts';
import type { Verdict } from '../outcome/judge.ts';
import type { outcomeOf } from '../outcome/of-call.ts';
import { runKey } from '../outcome/passes.ts';
import { KEPT_STEPS } from './evidence-notes.ts';

/** The newest outcome of a command, or of another tool's failed call. */
export interface OutcomeRecord {
  name: string;
  about: string;
  agent: string | null;
  seq: number;
  at: number;
  tick: number;
  verdict: Verdict;
  /** Something in it failed, if not all. */
  hasFailed: boolean;
  exitCode: number | null;
  /** Why it failed, or what the verdict rests on. */
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
  /** Of a shell command. */
  asked: Asked | null;
}

const OUTCOMES_MAX = 400;
const OUTCOMES_SLACK = 100;
const LINE_CHARS = 240;
const TRIED_MAX = 3;
/** Records of a shell command are kept by what it runs, others by what they are about. */
export const outcomeKey = (name: string, about: string): string =>
  keyOf(`${name} ${name === 'Bash' ? runKey(about) : about}`);

/** Only a pass ends a failure, and what is not known changes nothing that is. */
export const replaces = (one: Ending, before: Ending): boolean =>
  one.hasFailed ||
  one.verdict === 'passed' ||
  (!before.hasFailed && (one.verdict === 'nothing ran' || before.verdict === 'unknown'));

type Ending = Pick<OutcomeRecord, 'verdict' | 'hasFailed'>;

/**
 * Keeps how a call ended, unless what was known of it stands.
 * @param changed files changed since the last outcome; @param tick the current step
 */
export function withOutcome(
  outcomes: Record<string, OutcomeRecord>,
  call: OpenCall,
  {
    outcome,
    changed,
    tick,
  }: { outcome: ReturnType<typeof outcomeOf>; changed: readonly string[]; tick: number },
  { seq, at }: Fact,
): Record<string, OutcomeRecord> {
  const { name, about, agent, pos } = call;
  const key = outcomeKey(name, about);
  const { verdict, hasFailed, exitCode, cause: line } = outcome;
  const before = fieldOf(outcomes, key);
  if (before !== undefined && !replaces(outcome, before)) return outcomes;
  const again = hasFailed && before?.hasFailed === true;
  delete outcomes[key];
  outcomes[key] = {
    name,
    about,
    agent,
    seq,
    at,
    tick,
    verdict,
    hasFailed,
    exitCode,
    line: headOf(line, LINE_CHARS),
    runs: (before?.runs ?? 0) + 1,
    failures: hasFailed ? (before?.failures ?? 0) + 1 : 0,
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
  const worth = ({ hasFailed, about, runs, tick: last }: OutcomeRecord) =>
    (hasFailed ? 3 : looksAround(about) ? 0.2 : 1) *
    (1 + Math.log2(runs)) *
    0.5 ** ((tick - last) / KEPT_STEPS);
  all.sort(([, a], [, b]) => worth(b) - worth(a) || b.seq - a.seq);
  const kept = all.slice(0, OUTCOMES_MAX).sort(([, a], [, b]) => a.seq - b.seq);
  return Object.fromEntries(kept);
}

import { fieldOf, headOf } from '../projections/bounds.ts';
import { isRequest } from '../projections/clauses.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { EvidenceState } from '../projections/folds/evidence.ts';
import {
  type OutcomeRecord,
  outcomeKey,
  replaces,
} from '../projections/folds/evidence-outcomes.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import { looksAround } from '../projections/outcome/command.ts';
import type { Verdict } from '../projections/outcome/judge.ts';
import { Passes } from '../projections/outcome/passes.ts';
import { outcomeText } from '../projections/outcome/words.ts';
import { isOwnTool } from '../projections/tools-text.ts';
import { refusalOf } from '../projections/user-answers.ts';
import type { Found } from './item.ts';

type Outcome = Pick<
  OutcomeRecord,
  'name' | 'about' | 'agent' | 'seq' | 'at' | 'verdict' | 'hasFailed' | 'exitCode' | 'line'
> &
  Pick<Found, 'citedAt'>;

const COMMAND_CHARS = 240;
const ABOUT_CHARS = 160;
/** As much as the evidence keeps. */
const ABOUT_KEPT_CHARS = 300;
const LINE_CHARS = 200;
const AGENT_CHARS = 8;
const PASSED_CHARS = 80;
/** Commands that check, build or deploy are asked for again. */
const CHECKS =
  /\b(?:tests?|spec|check|build|lint|type-?check|migrate|upgrade|deploy|release|publish|compile|verify|apply|e2e|ci)\b|(?:test|check|build|lint|migrat\w*)[-:]/i;
const CHECKS_WEIGHT = 1.4;
const RUN_WEIGHT = 0.6;
const SCRIPT = /^(?:node|deno|python\d?|ruby|perl|php|[bz]?a?sh) -\w*[cepr]\w* |<<|\n/;
const TYPED_ONCE_CHARS = 130;

/** Failures of these are mistakes about files, corrected at once. */
const SLIPS = /^(?:Edit|MultiEdit|Write|NotebookEdit|Read|Glob|Grep|LS|WebFetch)$/;

/** The client rejected a malformed call. */
const REFUSED = '<tool_use_error>';

/**
 * Shell commands with their last outcomes. A failed one that did not pass since is an open error. Left out: ben10's own tools, and
 * calls on abandoned branches.
 */
export function commandItems(
  state: ContextState,
  evidence: EvidenceState,
  inside: (text: string) => string,
): Found[] {
  const all = [...newest(state, evidence).entries()];
  const isMended = mendedBy(
    all.map(([, one]) => one),
    state.directory,
  );
  return all.flatMap(([key, one]): Found[] => {
    if (isMended(one)) return [];
    const record = fieldOf(evidence.outcomes, key);
    const what =
      one.name === 'Bash'
        ? `\`${headOf(one.about, COMMAND_CHARS)}\``
        : `${one.name} ${headOf(one.about, ABOUT_CHARS)}`;
    const failed = one.hasFailed;
    const code = outcomeText(one.verdict, one.exitCode);
    const who = one.agent === null ? '' : `[sub-agent ${one.agent.slice(0, AGENT_CHARS)}] `;
    const why = one.line === '' ? '' : `: ${headOf(one.line, failed ? LINE_CHARS : PASSED_CHARS)}`;
    const brief = inside(`${who}${what} → ${code}${failed ? why : ''}`);
    const text = inside(`${who}${what} → ${code}${why}${attempts(one, record)}`);
    const kind = failed ? 'error' : 'command';
    const { seq, at, citedAt = at } = one;
    const reuse = (record?.runs ?? 1) - 1;
    return [{ kind, text, brief, seq, at, citedAt, weight: weightOf(one), reuse }];
  });
}

/** Whether all that a failed command runs passed later. */
function mendedBy(all: readonly Outcome[], directory: string | null): (one: Outcome) => boolean {
  const passes = new Passes();
  for (const { name, verdict, about, seq } of all)
    if (name === 'Bash' && verdict === 'passed') passes.add(about, seq, directory);
  return ({ name, hasFailed, about, seq }) =>
    name === 'Bash' && hasFailed && passes.hasSince(about, seq, directory);
}

const RUN_CHARS_MIN = 8;
/** Where another line says the same. */
const SAID_WEIGHT = 0.2;

/** A user's sentence that names a command gets its last result, unless it only asks to run it, or the command failed and has its own line. */
export function withRuns(found: readonly Found[], { outcomes }: EvidenceState): Found[] {
  const runs = Object.values(outcomes).filter(
    ({ name, about, exitCode }) =>
      name === 'Bash' && about.length >= RUN_CHARS_MIN && exitCode !== null && !looksAround(about),
  );
  // The note of a mended failure implies that it passed.
  const mended = found.filter(({ kind, text }) => kind === 'finding' && text.includes(' → '));
  const said = new Set(
    runs
      .filter(
        ({ verdict, about }) =>
          verdict === 'passed' && mended.some(({ text }) => text.includes(`(\`${about}\`)`)),
      )
      .map(({ seq }) => seq),
  );
  const told = found.map((item) => {
    if (item.kind !== 'rule' && item.kind !== 'prompt') return item;
    const last = runs.findLast(({ about }) => item.text.includes(`\`${about}\``));
    if (last === undefined) return item;
    const { text, brief = text, weight = 1 } = item;
    if (item.kind === 'prompt' && (last.hasFailed || isRequest(text)))
      return { ...item, weight: weight * SAID_WEIGHT };
    if (!last.hasFailed) said.add(last.seq);
    const run = outcomeText(last.verdict, last.exitCode);
    return {
      ...item,
      text: `${text} (last run: ${run})`,
      brief: `${brief} → ${run}`,
      identity: text,
    };
  });
  return told.map((item) =>
    item.kind === 'command' && said.has(item.seq)
      ? { ...item, weight: (item.weight ?? 1) * SAID_WEIGHT }
      : item,
  );
}

function attempts({ hasFailed }: Outcome, record: OutcomeRecord | undefined): string {
  if (!hasFailed || record === undefined || record.failures < 2) return '';
  const tried =
    record.tried.length === 0 ? '' : `, also after changes to ${record.tried.join(', ')}`;
  return ` (failed ${record.failures} times${tried})`;
}

function weightOf({ name, about, hasFailed: failed, line }: Outcome): number {
  if (name !== 'Bash') return SLIPS.test(name) || line.startsWith(REFUSED) ? 0.12 : 0.7;
  if (looksAround(about)) return failed ? 0.5 : 0.15;
  if (failed) return 1;
  if (SCRIPT.test(about) || about.length > TYPED_ONCE_CHARS) return 0.4;
  return CHECKS.test(about) ? CHECKS_WEIGHT : RUN_WEIGHT;
}

type EndedRun = ToolRun & { outcome: Verdict };

const hasEnded = (run: ToolRun): run is EndedRun => run.outcome !== 'open';

/** By tool and what it runs; runs too old for the state's list come from the evidence. */
function newest({ tools }: ContextState, { outcomes, notes }: EvidenceState): Map<string, Outcome> {
  const refused = new Set(notes.flatMap(({ kind, seq }) => (kind === 'refused' ? [seq] : [])));
  const last = new Map<string, OutcomeRecord | EndedRun>();
  const first = tools.runs[0]?.seq ?? Number.POSITIVE_INFINITY;
  for (const [key, one] of Object.entries(outcomes)) if (one.seq < first) last.set(key, one);
  for (const run of tools.runs) {
    if (isOwnTool(run.name) || run.abandoned || !hasEnded(run)) continue;
    if (run.name !== 'Bash' && run.outcome !== 'failed') continue;
    const isRefused = refused.has(run.outcomeSeq ?? run.seq) || refusalOf(run.name, run.head);
    if (run.outcome === 'failed' && isRefused) continue;
    const about = headOf(run.about, ABOUT_KEPT_CHARS);
    const key = outcomeKey(run.name, about);
    const before = last.get(key);
    if (
      before !== undefined &&
      !replaces({ verdict: run.outcome, hasFailed: run.hasFailed }, endingOf(before))
    )
      continue;
    last.delete(key);
    last.set(key, run);
  }
  return new Map(
    [...last].map(([key, one]) => [key, 'outcome' in one ? outcomeOf(one, outcomes[key]) : one]),
  );
}

const endingOf = (one: OutcomeRecord | EndedRun): Pick<Outcome, 'verdict' | 'hasFailed'> =>
  'outcome' in one ? { verdict: one.outcome, hasFailed: one.hasFailed } : one;

/** @param known the evidence of the same command; of the same event it adds the time */
function outcomeOf(run: EndedRun, known: OutcomeRecord | undefined): Outcome {
  const { name, about, agent, at, exitCode, outcome: verdict, hasFailed, line } = run;
  const seq = run.outcomeSeq ?? run.seq;
  const citedAt = known?.seq === seq ? known.at : 0;
  return { name, about, agent, seq, at, citedAt, verdict, hasFailed, exitCode, line };
}

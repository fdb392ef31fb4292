import type { ContextState } from '../projections/folds/context.ts';
import type { EvidenceState } from '../projections/folds/evidence.ts';
import { namesWhere } from '../projections/folds/evidence-names.ts';

/**
 * What was known before a clear is set aside, also what was said before it and read from the transcript later. Names have no
 * time: theirs is the step at which they were seen.
 */
export function withoutCleared(evidence: EvidenceState, { cleared }: ContextState): EvidenceState {
  if (cleared === null) return evidence;
  const { upto, at: clearedAt } = cleared;
  const isLater = ({ seq, at }: { seq: number; at: number }) => seq > upto && at > clearedAt;
  const { notes, names, outcomes } = evidence;
  const earlier = [...notes, ...Object.values(outcomes)].filter((one) => !isLater(one));
  const step = earlier.reduce((last, { tick }) => Math.max(last, tick), 0);
  return {
    ...evidence,
    notes: notes.filter(isLater),
    names: namesWhere(names, ({ seq, tick }) => seq > upto && tick > step),
    outcomes: Object.fromEntries(Object.entries(outcomes).filter(([, one]) => isLater(one))),
  };
}

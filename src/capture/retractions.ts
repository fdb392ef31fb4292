import { fact as names } from '../events/identity.ts';
import type { PromptSubmitted } from '../events/types.ts';
import { statementsIn, statementWords } from '../projections/folds/preferences.ts';
import type { Retraction } from '../projections/folds/retractions.ts';
import { textOf } from '../projections/tools-text.ts';
import { type Observation, observation } from './observation.ts';

/**
 * Retractions of what a prompt states. A session that is read later must not bring back what the user has retracted
 * since: the retraction is recorded in it, too, with its own time.
 * @param prompt redacted
 */
export function retractionsIn(
  prompt: Observation<'prompt.submitted'>,
  known: readonly Retraction[],
): Observation<'preference.retracted'>[] {
  const { session, agent, at: saidAt, data } = prompt;
  const later = known.filter(({ at }) => saidAt === null || at >= saidAt);
  if (agent !== null || later.length === 0) return [];
  const said = statementsIn(textOf((data as PromptSubmitted).text) ?? '');
  return later
    .filter(({ text }) => said.has(statementWords(text)))
    .map(({ id, key, text, at }) =>
      observation(
        'preference.retracted',
        names.retracted(id),
        { session, agent, at },
        { key, text },
      ),
    );
}

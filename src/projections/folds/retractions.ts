import { keepNewest } from '../bounds.ts';
import { foldedBy, type Projection } from '../contract.ts';

/** A preference that the user took back. */
export interface Retraction {
  id: string;
  key: string;
  text: string;
  at: number;
}

const RETRACTIONS_MAX = 2000;

/** Retractions of all sessions: an import or a late event must not bring a preference back. */
export const retractions: Projection<{ known: Retraction[] }> = {
  name: 'retractions',
  version: 2,
  scope: 'project',
  initial: () => ({ known: [] }),
  ...foldedBy<{ known: Retraction[] }>({
    'preference.retracted': ({ known }, { id, at, data: { key, text } }) => {
      if (text !== undefined) known.push({ id, key, text, at });
      keepNewest(known, RETRACTIONS_MAX);
    },
  }),
};

import type { PreferenceRetracted } from '../../events/types.ts';
import { keepNewest } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';

/** Something that the user took back, in some session. */
export interface Retraction {
  /** Of its event, hex. */
  id: string;
  /** Of the preference. */
  key: string;
  text: string;
  /** When, milliseconds since the epoch. */
  at: number;
}

const RETRACTIONS_MAX = 2000;

/** What was taken back, in whatever session: what comes late must not bring it back. */
export const retractions: Projection<{ known: Retraction[] }> = {
  name: 'retractions',
  version: 2,
  scope: 'project',
  types: ['preference.retracted'],
  initial: () => ({ known: [] }),
  apply(state, { id, at, data }: Fact) {
    const { key, text } = data as Partial<PreferenceRetracted>;
    if (key !== undefined && text !== undefined) state.known.push({ id, key, text, at });
    keepNewest(state.known, RETRACTIONS_MAX);
    return state;
  },
};

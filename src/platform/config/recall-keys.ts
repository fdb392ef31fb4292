import type { ConfigKey } from './keys.ts';

export interface RecallSettings {
  maxChars: number;
  steering: boolean;
}

/** The client cuts a hook's output at 10,000 characters; 500 are left for the wrapper around ours. */
export const RECALL_CHARS_MAX = 9_500;
/** Under this not even the shortest useful account fits (about 120 tokens). */
export const RECALL_CHARS_MIN = 500;

/** The settings of `recall`, rows of the table in `keys.ts`. */
export const RECALL_KEYS: readonly ConfigKey[] = [
  {
    name: 'recall.maxChars',
    kind: 'integer',
    default: 9_000,
    min: RECALL_CHARS_MIN,
    max: RECALL_CHARS_MAX,
    unit: 'characters',
    env: 'BEN10_RECALL_MAX_CHARS',
  },
  {
    name: 'recall.steering',
    kind: 'boolean',
    default: true,
    env: 'BEN10_RECALL_STEERING',
  },
];

import type { ConfigKey } from './keys.ts';

/** Each kind of item that can be given back: its worth is multiplied by a setting of its own. */
const RECALL_KINDS = [
  'rule',
  'task',
  'disk',
  'error',
  'correction',
  'prompt',
  'decision',
  'finding',
  'file',
  'command',
  'subagent',
  'mention',
] as const;

export interface RecallSettings {
  maxChars: number;
  steering: boolean;
  worth: Record<(typeof RECALL_KINDS)[number], number>;
}

/** The client cuts a hook's output at 10,000 characters; 500 are left for the wrapper around ours. */
export const RECALL_CHARS_MAX = 9_500;
/** Under this not even the shortest useful account fits (about 120 tokens). */
export const RECALL_CHARS_MIN = 500;
/** With three times its worth the least of the kinds is before the best of the others. */
const WORTH_MAX = 3;

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
  ...RECALL_KINDS.map((kind): ConfigKey => {
    const env = `BEN10_RECALL_WORTH_${kind.toUpperCase()}`;
    return {
      name: `recall.worth.${kind}`,
      kind: 'number',
      default: 1,
      min: 0,
      max: WORTH_MAX,
      env,
    };
  }),
];

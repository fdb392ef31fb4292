import { KIND } from './kinds.ts';
import type { Places } from './places.ts';

/** Of the commoner signs, what must stand in the text besides; so that the hook seldom asks for the table in vain. */
const BESIDES: Readonly<Partial<Record<number, readonly string[]>>> = {
  [KIND.command]: [' -u', ' -p', ' -a', ' -b', ' --user', ' --proxy-user', ' --cookie', ' -U'],
  [KIND.netrc]: ['password'],
  [KIND.connection]: [
    'ser Id=',
    'ser ID=',
    'uid=',
    'Uid=',
    'UID=',
    'erver=',
    'ser id=',
    'jdbc:',
    'ource=',
  ],
  [KIND.terraformValue]: ['value'],
};

/** The sign of a Kubernetes secret is common in code; this is what stands before it in a manifest. */
const BEFORE_SECRET = /\bkind(?:\\{0,7}["'])?[ \t]{0,4}:[ \t]{0,4}(?:\\{0,7}["'])?$/;
/** The longest text that it matches, characters. */
const BEFORE_CHARS_MAX = 36;

/** Whether the sign that the scanner found is one: whether the text has what its rules cannot do without. */
export function isSign(kind: number, text: string, places: Places): boolean {
  if (kind === KIND.kubernetes) {
    return places
      .at(kind)
      .some(
        (at) =>
          !/\w/.test(text[at + 'Secret'.length] ?? '') &&
          BEFORE_SECRET.test(text.slice(Math.max(0, at - BEFORE_CHARS_MAX), at)),
      );
  }
  const besides = BESIDES[kind];
  return besides === undefined || besides.some((sign) => text.includes(sign));
}

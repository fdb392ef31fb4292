import { isMachineSecret, isPassword, isToldPassword } from '../values.ts';

/** Whether what stands behind a phrase of `phrase-rules.ts` is a secret. */
export type Judge = (value: string, match: RegExpExecArray) => boolean;

/** Not one of two users: `login test1 / test2`. */
export const isOfUser: Judge = (value, match) => {
  const apart = (name = ''): string => name.replace(/\d+/g, '#');
  return isToldPassword(value) && apart(value) !== apart(match[2]);
};
/** A digit that is more than a number behind a word: not `with password auth2`. */
export const isMixed: Judge = (value) => isToldPassword(value) && !/^[a-z_-]+\d$/i.test(value);
/** Letters of both cases besides, and no name. */
export const isUnmistakable: Judge = (value, match) =>
  isMixed(value, match) && /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) && isMachineMade(value, match);
export const isQuoted: Judge = (value) => isPassword(value, 'quoted');
/** Not a place or a role: letters alone as a machine mixes them, or a person chooses them. */
export const isArgument: Judge = (value) =>
  isPassword(value, 'quoted') &&
  (isToldPassword(value) || (!/[^\w-]/.test(value) && isPassword(value, 'bare')));
/** No database and no topic, which calls have in that place, too. */
export const isSecretArgument: Judge = (value, match) =>
  isArgument(value, match) && isMixed(value, match) && !value.includes('/');
/** No id and no digest, which are encoded so as well. */
export const isOfBothCases: Judge = (value) =>
  isToldPassword(value) && (/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) || /[!@#$%^&*]/.test(value));
export const isMachineMade: Judge = (value) => isMachineSecret(value, 'bare');

/** In the cell beside a name a type, a place or a word about it stands as often. */
export const isTabled: Judge = (value, match) =>
  isToldPassword(value) &&
  !/^n?(?:var)?char|\//i.test(value) &&
  (/^[\w!#$%&*?@^+=]{8,}$/.test(value) || isMachineMade(value, match));
/** A type of a column or a field (`varchar255`), a length (`min8chars`), a duration. */
const NO_SETTING =
  /^(?:n?(?:var)?(?:char|binary)|string|bytes?|fixedstring|text|u?int|float)(?!20[0-3]\d$)\d+$|^[a-z]+\d[a-z]{1,5}$|^\d+[a-z]{1,5}$/i;
/** A digit in the place of a vowel: `S3cret`, `m0nkey`; no `s3path`, no `log4net`. */
const SPELT = /^(?!s3[^c]|mp|log)[a-z]{0,2}[^aeiouv\d][034][a-z]{3,5}$/i;
/** Words of a name, unless a machine mixed digits into two of them: `kx7-qm2p-9vtz`. */
const NAME = /^[a-z\d]+(?:-[a-z\d]+)+$/;
const isName = (value: string): boolean =>
  NAME.test(value) && !(/[a-z]\d+[a-z]/.test(value) && /\d[a-z].*-.*\d[a-z]/.test(value));
export const isSetTo: Judge = (value, match) =>
  isMixed(value, match) &&
  !/^\w+[([]|^pass:/.test(value) &&
  (!NO_SETTING.test(value) || SPELT.test(value)) &&
  !isName(value);

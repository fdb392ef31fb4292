import type { Rule } from '../rule.ts';
import { isPassword, isPlaceholder } from '../search/value-test.ts';

/** A row of the table with a pattern; its keywords are separated by `|`. */
export const row = (
  id: string,
  kind: Rule['kind'],
  keywords: string,
  source: string,
  pattern: string,
  more: Partial<Rule> = {},
): Rule => {
  let made: RegExp | undefined;
  return {
    id,
    kind,
    keywords: keywords.split('|'),
    get pattern() {
      // Nearly all of them are never needed in a process.
      made ??= new RegExp(pattern, 'diy');
      return made;
    },
    source,
    ...more,
  };
};

/** Quoted, or up to white space. */
export const ARGUMENT = String.raw`(?:"(?<a>[^"\n]{1,256})"|'(?<b>[^'\n]{1,256})'|(?<secret>[^\s"'\`|;&<>]{1,256}))`;
/** What a person may have chosen. */
export const isGiven = (secret: string): boolean =>
  !isPlaceholder(secret) && isPassword(secret, 'env') && !secret.startsWith('-');
/** Where nothing but a secret stands. */
export const isCredential = (secret: string): boolean =>
  secret.length >= 3 && !isPlaceholder(secret) && !/^[$<{%*]/.test(secret);

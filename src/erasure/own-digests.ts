/**
 * What ben10 itself prints besides a text and is a digest of it, as agents record it when they run ben10: the name of a fence, the
 * keys of preferences. Who guesses what was erased could confirm it by them.
 */
const DIGESTS: readonly RegExp[] = [
  /(?<=ben10-[a-z]{1,20}-)[0-9a-f]{8}(?![0-9a-f])/g,
  /(?<=^ {0,8})[0-9a-f]{8}(?= +(?:rule|tool|correction) +(?:once|\d+ times) )/gm,
  /(?<="key\\*":\s*\\*")[0-9a-f]{12}(?=\\*")/g,
];

/** A change of texts that takes such digests along wherever it changes one; the very same string where it changes none. */
export const withDigestsOf =
  (change: (text: string) => string) =>
  (text: string): string => {
    const left = change(text);
    return left === text ? text : withoutDigests(left);
  };

/** Those of a text that are digests: as many zeros. */
export const withoutDigests = (text: string): string =>
  DIGESTS.reduce((left, one) => left.replace(one, (digest) => '0'.repeat(digest.length)), text);

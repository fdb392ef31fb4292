import type { Checksum } from './checksums.ts';

/** Where grammars were published, when not by the vendor: named by one word in the rows. */
export const SOURCES: Readonly<Record<string, string>> = {
  gitleaks: 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
  trufflehog: 'https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors',
  secretlint: 'https://github.com/secretlint/secretlint/tree/master/packages/@secretlint',
  github:
    'https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns',
};

export interface TokenMore {
  /**
   * Not behind `-`, `_` or `.` either: for beginnings that other words have too.
   */
  alone?: true;
  /** Bits a character that the whole token must have at least, `ENTROPY_MIN` by default. */
  entropy?: number;
  /** How the vendor lets a token be told from a mistyped one. */
  checksum?: Checksum;
}

/** A token that its own beginning tells. Several rows may have one id: the ways in which a vendor writes the same. */
export type TokenRow = readonly [
  /** UPPER-KEBAB. */
  id: string,
  vendor: string,
  /** A word of `SOURCES`, or where the vendor says it. */
  source: string,
  /** See `grammar.ts`. */
  grammar: string,
  more?: TokenMore,
];

/**
 * A value that only its label tells: 32 hex digits may be anything, but under `DATADOG_API_KEY` they are Datadog's. What is
 * found is found by the general rules for labels; the row gives it its vendor's name.
 */
export type LabelledRow = readonly [
  id: string,
  vendor: string,
  source: string,
  /** Parts of the label, in lower case without `-` and `_`; one of them must be in it. */
  words: readonly string[],
  /** What the whole value looks like, each a grammar. */
  values: readonly string[],
];

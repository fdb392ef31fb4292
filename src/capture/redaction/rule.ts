/** A stretch of a text, in UTF-16 units: `start` inclusive, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A stretch that is replaced by `[REDACTED:<id>]`. */
export interface NamedSpan extends Span {
  id: string;
}

/**
 * One row of the table. The prefilter finds the keywords; only there the row looks at the text, and only at a bounded stretch
 * of it, so that redaction is linear whatever the text is.
 */
export interface Rule {
  /** UPPER-KEBAB, used in the marker and in the counts. */
  readonly id: string;
  /** Other ids that its finds may have. */
  readonly ids?: readonly string[];
  /** Without one of these it finds nothing. */
  readonly keywords: readonly string[];
  /**
   * `token`: the keyword begins a word and is matched to the letter. `label`: a name that a value is assigned to. `part`:
   * the same, of a word that stands in others, too. `vendor`: the same, and the name may go on in words of its own. `word`: anywhere. All but tokens in any case of letters.
   */
  readonly kind: Kind;
  /** Characters in a row that each of its secrets has at least: without them the prefilter passes the keyword by. */
  readonly run?: number;
  /** Sticky, matched where the keyword begins. Its group `secret` is replaced, or all of it. Has no repetition beyond `reach`. */
  readonly pattern?: RegExp;
  /** How much of the text before and behind the keyword the pattern sees, characters: 64 and 900 by default. */
  readonly before?: number;
  readonly reach?: number;
  /** Whether what the pattern found is a secret. */
  readonly test?: (secret: string) => boolean;
  /** In the place of a pattern, for what no pattern says: every secret that belongs to the keyword. */
  readonly find?: (text: string, at: number, keyword: string) => Iterable<NamedSpan>;
  /** How far from its keyword its secrets stand, on other lines: searched again without what programs print before each line. */
  readonly lines?: number;
  /** Where its grammar was published. */
  readonly source: string;
}

export type Kind = 'token' | 'label' | 'part' | 'vendor' | 'word';

/** How often each rule's marker was written, by rule id. */
export interface RedactionCount {
  [ruleId: string]: number;
}

/** Longest rule id, so that a marker stays a short and recognisable word. */
export const RULE_ID_CHARS_MAX = 40;

const RULE_ID = /^[A-Z0-9]+(?:-[A-Z0-9]+)*$/;

export const isRuleId = (id: string): boolean => id.length <= RULE_ID_CHARS_MAX && RULE_ID.test(id);

export const marker = (ruleId: string): string => `[REDACTED:${ruleId}]`;

/** Every marker, whoever's rule wrote it. Group 1 is the rule id. */
export const MARKER = /\[REDACTED:([A-Z0-9-]{1,40})\]/g;

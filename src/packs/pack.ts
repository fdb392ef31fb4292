import type { NamedFound, RedactionCount } from '../capture/redaction/index.ts';
import type { Tokenizer } from './tokens.ts';

export type Kind = 'file' | 'range' | 'md' | 'md_dir' | 'glob' | 'text';

export interface ArtifactOptions {
  /** Of a folder: what lies deeper, too. */
  recursive?: boolean;
  maxFiles?: number;
  /** Globs of a collection, from the project's folder on. */
  exclude?: readonly string[];
  allowSensitive?: boolean;
}

export interface Artifact {
  id: string;
  kind: Kind;
  /** As `parseSource` writes it. */
  source: string;
  priority: number;
  options: ArtifactOptions;
  /** Its place in the order of arrival. */
  added: number;
  /** All of a `text`, whose source has only its beginning. */
  text?: string;
}

export interface Policy {
  budgetTokens: number | null;
  /** What happens at the first item that does not fit: all lower ones go, smaller ones are taken, or there is no payload. */
  fill: 'prefix' | 'fill' | 'fail';
  tokenizer: Tokenizer;
  /** As ranked, or what changes most last. */
  layout: 'rank' | 'stable';
}

export interface Pack {
  /** Undefined for sources that were given in place of a name. */
  name: string | undefined;
  policy: Policy;
  artifacts: readonly Artifact[];
}

/** Why something is not in a payload. The list is closed: programs read it. */
export type Reason =
  | 'over_budget'
  | 'too_large'
  | 'duplicate'
  | 'denied'
  | 'outside'
  | 'binary'
  | 'encoding'
  | 'too_big'
  | 'missing'
  | 'unreadable'
  | 'not_a_file'
  | 'range_past_end';

/** 1-based and inclusive. */
export interface Lines {
  from: number;
  /** Undefined: to the end. */
  to: number | undefined;
}

/** One thing that may stand in a payload: a file, a part of one, a text. */
export interface Candidate {
  /** The place of its pack among those that are rendered. */
  pack: number;
  artifact: Artifact;
  /** As it is shown and hashed. */
  label: string;
  /** What its tag says. */
  attributes: Readonly<Record<string, string>>;
  /** To open it, from the project's folder on. */
  path?: string;
  /** A collection found it. */
  isFound?: boolean;
  lines?: Lines;
  /** Its content, where that is not a file's. */
  text?: string;
}

export interface Left {
  candidate: Candidate;
  reason: Reason;
}

/** What was done to a content beside redaction. */
export interface Changes {
  /** Bytes that are not of the encoding, each now U+FFFD. */
  badBytes?: number;
  /** Characters of escapes, controls and invisible ones, which are gone, and tags that could pass for a frame, which are broken. */
  cleaned?: number;
  /** The range went past the last line, where it was cut. */
  isCut?: true;
  /** A last line feed was added. */
  isEnded?: true;
}

/** Where secrets are in a text, and behind their markers in what it became, until none are found. */
export type Secrets = readonly (readonly NamedFound[])[];

export interface Content {
  text: string;
  /** The text is the bytes that were read, but for a last line feed. */
  isRaw: boolean;
  secrets: Secrets;
  lines?: Lines & { to: number };
  redactions: RedactionCount;
  changes: Changes;
}

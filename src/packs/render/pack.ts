import type { NamedFound, RedactionCount } from '../../capture/redaction/index.ts';
import type { PackOptions, PackPolicy } from '../../events/types.ts';
import type { ArtifactRecord } from '../../projections/folds/packs.ts';

/** An artifact as it is rendered: of a pack, or a source that was given in place of a name. */
export interface Artifact extends ArtifactRecord {
  /** All of a `text`, whose source has only its beginning. */
  text?: string;
}

export type Kind = Artifact['kind'];
export type ArtifactOptions = PackOptions;
/**
 * `fill`: what happens at the first item that does not fit: all lower ones go, smaller ones are taken, or there is no payload.
 * `layout`: as ranked, or what changes most last.
 */
export type Policy = PackPolicy;

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
  | 'range_past_end'
  | 'not_captured'
  | 'bad_revision'
  | 'not_a_repository'
  | 'failed'
  | 'unknown_then';

export interface Lines {
  from: number;
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
  path?: string;
  isFound?: boolean;
  lines?: Lines;
  /** Its content, where that is not a file's. */
  text?: string;
  /** Of a diff, what its revisions meant: the first, and the second unless that is the working tree. Kept, and no part of its bytes. */
  oids?: readonly string[];
  /** Secrets that are markers in its text already. */
  redactions?: RedactionCount;
  /** Of the journal, that tell of it. They are shown beside it, and are no part of its bytes. */
  events?: readonly number[];
}

/** What git, a kept command or the journal has of an artifact: a file to be read, or a text, or why there is none. */
export type Found = Pick<Candidate, 'events'> &
  (
    | { path: string; reason?: Reason }
    | (Pick<Candidate, 'label' | 'attributes' | 'oids' | 'redactions'> &
        ({ text: string } | { reason: Reason }))
  );
/** Of `git`, `cmd` and `journal`. It runs nothing that was not run before. */
export type Sources = (artifact: Artifact) => Promise<readonly Found[]>;

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

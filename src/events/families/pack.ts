import * as f from '../fields.ts';

/** 1 to 60 of `[a-z0-9._-]`; a pack's identity. */
const name = f.words;
/** A number of the artifact within all packs, 8 hex digits. */
const artifact = f.name;
/** A snapshot's id, 16 hex digits. */
const snapshot = f.name;
export const policy = f.object({
  budgetTokens: f.nullable(f.number),
  fill: f.oneOf('prefix', 'fill', 'fail'),
  tokenizer: f.oneOf('cl100k', 'o200k'),
  layout: f.oneOf('rank', 'stable'),
});
export const options = f.object({
  recursive: f.optional(f.flag),
  maxFiles: f.optional(f.number),
  exclude: f.optional(f.list(f.words)),
  allowSensitive: f.optional(f.flag),
  base: f.optional(f.words),
  head: f.optional(f.words),
  cwd: f.optional(f.words),
  session: f.optional(f.words),
  since: f.optional(f.words),
});
export const kind = f.oneOf(
  ...(['file', 'range', 'md', 'md_dir', 'glob', 'text', 'git', 'cmd', 'journal'] as const),
);
/** Rules and how often each marked something. */
const counts = f.record(f.number);

export const PACK = {
  'pack.created': f.event('disk', 'A context pack was made.', { name, policy }),
  'pack.changed': f.event('disk', 'A context pack’s policy was changed.', { name, policy }),
  /** Its snapshots stay. */
  'pack.deleted': f.event('disk', 'A context pack was deleted.', { name }),
  'pack.artifact-added': f.event('disk', 'A source was added to a context pack.', {
    name,
    artifact,
    kind,
    /** As `packs/render/source.ts` writes it, up to 1,000 characters. */
    source: f.words,
    /** -1000 to 1000. */
    priority: f.number,
    options,
    /** All of a `text:`. */
    text: f.optional(f.text),
  }),
  /** A field that is present replaces the earlier value. */
  'pack.artifact-changed': f.event('disk', 'A source of a context pack was changed.', {
    name,
    artifact,
    priority: f.optional(f.number),
    options: f.optional(options),
  }),
  'pack.artifact-removed': f.event('disk', 'A source was removed from a context pack.', {
    name,
    artifact,
  }),
  'pack.captured': f.event('disk', 'A command was run for a context pack.', {
    name,
    artifact,
    command: f.words,
    cwd: f.words,
    /** What it printed, redacted. */
    output: f.text,
    /** Null if a signal or the time limit ended it. */
    exit: f.nullable(f.number),
    signal: f.optional(f.name),
    ms: f.number,
    /** That it printed, and of these how many were left out. */
    bytes: f.number,
    cut: f.number,
  }),
  'pack.snapshotted': f.event('disk', 'What context packs rendered was kept.', {
    snapshot,
    label: f.optional(f.words),
    /** Made by itself when it was given to a model. */
    auto: f.flag,
    packs: f.list(f.words),
    policy,
    /** SHA-256, hex; empty after an erasure that took the file. */
    renderHash: f.name,
    payloadHash: f.name,
    tokens: f.number,
    bytes: f.number,
    items: f.number,
    /** How many were left out, by reason. */
    left: counts,
    redactions: counts,
    /** The payload file, relative to `.ben10`. */
    file: f.name,
    /** The point of `--at`. */
    at: f.optional(f.number),
  }),
  'pack.snapshot-removed': f.event('disk', 'A kept rendering of context packs was removed.', {
    snapshot,
    why: f.oneOf('asked', 'count', 'age', 'size', 'erased'),
  }),
  'pack.given': f.quiet('interval', 'A session was given what context packs rendered.', {
    snapshot,
    mode: f.oneOf('full', 'delta'),
    /** Of a delta: which items of the snapshot were in it. */
    items: f.optional(f.list(f.number)),
    tokens: f.number,
    chars: f.number,
  }),
};

type Data<T extends keyof typeof PACK> = f.EventDataOf<(typeof PACK)[T]>;
export type PackCreated = Data<'pack.created'>;
export type PackDeleted = Data<'pack.deleted'>;
export type PackArtifactAdded = Data<'pack.artifact-added'>;
export type PackArtifactChanged = Data<'pack.artifact-changed'>;
export type PackArtifactRemoved = Data<'pack.artifact-removed'>;
export type PackCaptured = Data<'pack.captured'>;
export type PackSnapshotted = Data<'pack.snapshotted'>;
export type PackSnapshotRemoved = Data<'pack.snapshot-removed'>;
export type PackGiven = Data<'pack.given'>;
export type PackPolicy = f.TypeOf<typeof policy>;
export type PackOptions = f.TypeOf<typeof options>;

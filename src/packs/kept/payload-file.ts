import { getBlob, hasBlob, putBlob } from '../../journal/append/blobs.ts';
import type { Layout } from '../../journal/format/layout.ts';
import { ensureManifest, readManifest } from '../../journal/format/manifest.ts';
import { readMsgpack } from '../../journal/format/msgpack-read.ts';
import { MsgpackWriter } from '../../journal/format/msgpack-write.ts';
import { removeIfThere } from '../../platform/files.ts';
import type { Project } from '../../project/open.ts';
import type { Artifact, Changes, Lines } from '../render/pack.ts';
import type { Rendered } from '../render/render.ts';

/** Below `.ben10`; `project/stored.ts` names it, too, so that hooks need not load this file. */
export const PAYLOADS_DIR = 'pack-payloads';

export interface ManifestItem {
  kind: Artifact['kind'];
  source: string;
  label: string;
  /** As it is shown: a secret in it is not. */
  path?: string;
  oids?: readonly string[];
  lines?: Lines & { to: number };
  /** Where its block begins in the payload, and how long that is. */
  offset: number;
  bytes: number;
  tokens: number;
  sha256: string;
  redactions: Record<string, number>;
  changes: Changes;
  artifact: string;
}

export interface KeptPayload {
  manifest: ManifestItem[];
  payload: Buffer;
}

const FILE = /^pack-payloads\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** Payload files are named and written as blobs are, in a folder of their own. */
const shelfOf = ({ layout }: Pick<Project, 'layout'>): Layout => ({
  ...layout,
  blobs: `${layout.root}/${PAYLOADS_DIR}`,
});

/** A file's name in its folder; undefined for what is none of ours: events may claim any path. */
const nameOf = (file: string): string | undefined => FILE.exec(file)?.[2];
const pathOf = ({ root }: Project, name: string) =>
  `${root}/${PAYLOADS_DIR}/${name.slice(0, 2)}/${name}`;

/**
 * Keeps a payload durably; equal ones share a file.
 * @returns its path below `.ben10`
 * @throws Node's error; Ben10Error LIMIT_EXCEEDED, JOURNAL_UNSAFE
 */
export function putPayload(project: Project, rendered: Rendered): string {
  const { ports, layout, lz4 } = project;
  const plain = new MsgpackWriter().array([
    manifestOf(project, rendered),
    Buffer.concat(rendered.payload),
  ]);
  const { blobKey } = ensureManifest(ports, layout);
  const put = () =>
    putBlob(ports, shelfOf(project), blobKey, plain, { method: 'lz4', codec: lz4, level: 0 });
  const name = put();
  // A damaged file bears the name, too.
  if (plainOf(project, name) === undefined && removeIfThere(ports.fs, pathOf(project, name))) put();
  return `${PAYLOADS_DIR}/${name.slice(0, 2)}/${name}`;
}

export const hasPayload = (project: Project, file: string): boolean => {
  const name = nameOf(file);
  return name !== undefined && hasBlob(project.ports, shelfOf(project), name);
};

/** Undefined if it is missing or damaged. */
export function getPayload(project: Project, file: string): KeptPayload | undefined {
  const name = nameOf(file);
  const plain = name && plainOf(project, name);
  return plain ? payloadIn(plain) : undefined;
}

export function payloadIn(plain: Buffer): KeptPayload | undefined {
  try {
    const [manifest, payload] = readMsgpack(plain) as [ManifestItem[], Uint8Array];
    return Array.isArray(manifest) && payload instanceof Uint8Array
      ? { manifest, payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length) }
      : undefined;
  } catch {
    return undefined; // its name is right, so another version wrote it
  }
}

/** Bytes on the disk; 0 if it is not there. */
export function sizeOfPayload({ ports, root }: Project, file: string): number {
  const isOurs = FILE.test(file);
  return isOurs ? (ports.fs.statIfThere(`${root}/${file}`)?.size ?? 0) : 0;
}

function plainOf(project: Project, name: string): Buffer | undefined {
  const { ports, layout, decoders } = project;
  return getBlob(ports, shelfOf(project), name, decoders, readManifest(ports, layout)?.blobKey);
}

export function manifestOf(project: Pick<Project, 'redact'>, rendered: Rendered): ManifestItem[] {
  let offset = rendered.payload[0]?.length ?? 0;
  return rendered.included.map(({ candidate, lines, bytes, tokens, sha256, ...item }) => {
    const { artifact, label, attributes, oids } = candidate;
    const at = offset;
    offset += bytes;
    return {
      kind: artifact.kind,
      source: project.redact(artifact.source),
      label,
      ...(attributes.path !== undefined && { path: attributes.path }),
      ...(oids && { oids }),
      ...(lines && { lines }),
      offset: at,
      bytes,
      tokens,
      sha256,
      redactions: item.redactions,
      changes: item.changes,
      artifact: artifact.id,
    };
  });
}

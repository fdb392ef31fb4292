import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { fieldOf } from '../../projections/bounds.ts';
import type { PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { packsAt, packsOf, renderOf } from '../of-project.ts';
import { parseSource } from '../render/source.ts';
import { type KeptPayload, manifestOf } from './payload-file.ts';
import { payloadOf } from './snapshots.ts';

/** Names of packs, and sources in the form that is stored. */
export const sourcedWords = (words: readonly string[]): string[] =>
  words.map((word) => (word.includes(':') ? parseSource(word).source : word));

/**
 * The stored bytes; if they are lost or damaged, what is rendered now, where that is the same to the byte.
 * @throws Ben10Error as `payloadOf`
 */
export async function payloadOrAnew(
  project: Project,
  record: PackSnapshotRecord,
): Promise<KeptPayload> {
  try {
    return payloadOf(project, record);
  } catch (error) {
    const isLost = error instanceof Ben10Error && error.code === 'CHECKSUM_MISMATCH';
    const found = isLost ? await rendered(project, record) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

async function rendered(
  project: Project,
  { packs: words, policy, at: seq, payloadHash }: PackSnapshotRecord,
): Promise<KeptPayload | undefined> {
  try {
    const at = seq === undefined ? undefined : resolvePoint(project, `@${seq}`);
    const packs = packsOf(project, words, at).map((pack) => ({ ...pack, policy }));
    const now = await renderOf(project, { packs, at });
    if (now.payloadHash !== payloadHash) return undefined;
    return { manifest: manifestOf(project, now), payload: Buffer.concat(now.payload) };
  } catch (error) {
    if (error instanceof Ben10Error) return undefined; // its packs are gone
    throw error;
  }
}

/** Whether a word names a pack that there is, or a source. */
export const isPack = (project: Project, word: string): boolean =>
  word.includes(':') || fieldOf(packsAt(project).packs, word) !== undefined;

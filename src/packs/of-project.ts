import type { PackArtifactAdded } from '../events/types.ts';
import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { readEvents } from '../projections/events.ts';
import {
  type ArtifactRecord,
  packs as fold,
  type PackRecord,
  type PacksState,
} from '../projections/folds/packs.ts';
import { oneLine } from '../projections/safe-text.ts';
import { erasureEpoch } from '../timetravel/beside-erasure.ts';
import { type ResolvedPoint, resolvePoint } from '../timetravel/resolve.ts';
import { wholeText } from '../timetravel/tracked-files.ts';
import { loadCounts } from './counts.ts';
import { expand } from './render/expand.ts';
import type { Ground } from './render/file.ts';
import type { Artifact, Pack, Policy } from './render/pack.ts';
import { type Rendered, render } from './render/render.ts';
import { denials } from './render/sensitive.ts';
import { parseSource } from './render/source.ts';
import { pastOf } from './sources/at-point.ts';
import { sourcesOf } from './sources/sources.ts';

/** The packs and their snapshots now, or at a point. */
export const packsAt = (project: Project, at?: ResolvedPoint): PacksState =>
  project.states.at(fold, null, at?.cut).state;

/** @throws Ben10Error PACK_NOT_FOUND with the nearest name */
export function packNamed({ packs }: PacksState, name: string): PackRecord {
  const found = fieldOf(packs, name);
  if (found !== undefined) return found;
  const near = nearName(name, Object.keys(packs));
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new Ben10Error('PACK_NOT_FOUND', `there is no pack "${oneLine(name)}"${hint}`, {
    next: 'All packs: ben10 pack list. To make one: ben10 pack create NAME',
  });
}

export const policyOf = ({ packs }: Project): Policy => ({
  budgetTokens: packs.budgetTokens,
  fill: 'prefix',
  tokenizer: packs.tokenizer,
  layout: 'rank',
});

/**
 * A word with a colon is a source, and all of these make a pack for once, in the place of the first; other words are names.
 * @throws Ben10Error PACK_NOT_FOUND; USAGE for what is no source, or a name that is given twice
 */
export function packsOf(project: Project, words: readonly string[], at?: ResolvedPoint): Pack[] {
  const state = packsAt(project, at);
  const sources = words.filter(isSource);
  const named = words.filter((word, at) => !isSource(word) || at === words.indexOf(sources[0]!));
  const twice = named.find((word, at) => named.indexOf(word) !== at);
  if (twice !== undefined) {
    throw new Ben10Error('USAGE', `pack "${oneLine(twice)}" is given twice`, {
      next: 'Give each pack once.',
    });
  }
  return named.map((word) => {
    if (isSource(word)) return forOnce(project, sources);
    const { policy, artifacts } = packNamed(state, word);
    return { name: word, policy, artifacts: artifacts.map((one) => whole(project, one)) };
  });
}

const isSource = (word: string): boolean => word.includes(':');

/** Whether a word names a pack that there is, or a source. */
export const isPack = (project: Project, word: string): boolean =>
  isSource(word) || fieldOf(packsAt(project).packs, word) !== undefined;

/** Names of packs, and sources in the form that is stored. */
export const sourcedWords = (words: readonly string[]): string[] =>
  words.map((word) => (isSource(word) ? parseSource(word).source : word));

const forOnce = (project: Project, sources: readonly string[]): Pack => ({
  name: undefined,
  policy: policyOf(project),
  artifacts: sources.map((source, added) => {
    const parsed = parseSource(source);
    return { id: '', priority: 0, options: {}, added, ...parsed };
  }),
});

/** With all of its text, which the state has only the beginning of. */
function whole(project: Project, artifact: Artifact): Artifact {
  if (artifact.kind !== 'text') return artifact;
  const { reader, ports } = project;
  const event = readEvents(reader, ports.xxh64, { from: artifact.added, to: artifact.added });
  const data = event.next().value?.data as PackArtifactAdded | undefined;
  const text = wholeText(project, data?.text);
  if (text !== undefined) return { ...artifact, text };
  throw new Ben10Error('CHECKSUM_MISMATCH', `the text of ${artifact.id} cannot be read`, {
    place: { seq: artifact.added },
    next: 'ben10 verify lists what is damaged; or remove it, and add it again.',
  });
}

export const groundOf = (project: Project): Ground => ({
  dir: project.dir,
  root: project.root,
  fs: project.ports.fs,
  excludedBy: (name) => project.excludedBy(name),
  deny: project.packs.deny,
});

export interface Asked {
  packs: readonly Pack[];
  budgetTokens?: number | null | undefined;
  isExact?: boolean | undefined;
  /** Digests of blocks that come first, in this order. */
  stableWith?: readonly string[] | undefined;
  at?: ResolvedPoint | undefined;
}

/**
 * One policy for all: that of the first pack, with what is asked in its place. Counts are kept for the next time.
 * @throws Ben10Error LIMIT_EXCEEDED
 */
export async function renderOf(project: Project, asked: Asked): Promise<Rendered> {
  const { packs, budgetTokens, isExact = false, stableWith = [], at } = asked;
  const { policy } = packs[0]!;
  const counts = loadCounts(project);
  const rendered = await render(groundOf(project), {
    packs,
    policy: { ...policy, ...(budgetTokens !== undefined && { budgetTokens }) },
    redaction: project.redaction,
    sources: sourcesOf(project, at),
    past: at && pastOf(project, at),
    stableWith,
    isExact,
    kept: counts.kept,
  });
  counts.store();
  return rendered;
}

/** What words name, rendered, now or at a point, and what a snapshot of that is about. @throws as `packsOf`, `resolvePoint` and `renderOf` */
export async function renderWords(
  project: Project,
  words: readonly string[],
  { at: point, ...how }: Omit<Asked, 'packs' | 'at'> & { at?: string | undefined } = {},
) {
  const epoch = erasureEpoch(project);
  const at = point === undefined ? undefined : resolvePoint(project, point);
  const packs = packsOf(project, words, at);
  const rendered = await renderOf(project, { ...how, packs, at });
  return { rendered, about: { packs: sourcedWords(words), epoch, at: at?.seq } };
}

/** How many files collections have now; of other sources nothing. @throws Ben10Error LIMIT_EXCEEDED */
export async function filesOf(
  project: Project,
  artifacts: readonly ArtifactRecord[],
): Promise<ReadonlyMap<string, number>> {
  const collections = artifacts.filter(({ kind }) => kind === 'glob' || kind === 'md_dir');
  const ground = groundOf(project);
  const pack: Pack = { name: undefined, policy: policyOf(project), artifacts: collections };
  const { redaction } = project;
  const { found } = await expand(ground, denials(ground), { redaction }, [pack]);
  return new Map(Array.from(found, ([{ id }, files]) => [id, files]));
}

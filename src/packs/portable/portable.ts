import type { Project } from '../../project/open.ts';
import { renderOf } from '../of-project.ts';
import type { Artifact, Kind, Pack } from '../render/pack.ts';
import type { Rendered } from '../render/render.ts';

export const VERSION = 1;

/** A pack as a file carries it: what is meant, without ids, times, and what commands printed. */
export type PortableArtifact = Omit<Artifact, 'id' | 'added' | 'capture'>;

export interface PortablePack extends Pick<Pack, 'policy'> {
  name: string;
  artifacts: readonly PortableArtifact[];
  lock?: Lock;
  /** What the file asks for and is not taken from one. */
  notes: readonly string[];
}

export interface Lock {
  renderHash: string;
  items: readonly LockedItem[];
}

export interface LockedItem {
  kind: Kind;
  label: string;
  tokens: number;
  /** Of its block. */
  sha256: string;
}

/** What another machine cannot have: it has another journal, and ran other commands. */
export const isLocal = ({ kind }: Pick<Artifact, 'kind'>): boolean =>
  kind === 'journal' || kind === 'cmd';

/** What anybody who takes the file renders of the same files: what is sensitive is each person's to allow. */
export async function lockOf(
  project: Project,
  { name, policy, artifacts }: PortablePack,
): Promise<Lock> {
  const shared = artifacts
    .filter((one) => !isLocal(one))
    .map((one, added): Artifact => {
      const { allowSensitive: _, ...options } = one.options;
      return { ...one, options, id: '', added };
    });
  const rendered = await renderOf(project, { packs: [{ name, policy, artifacts: shared }] });
  return { renderHash: rendered.renderHash, items: itemsOf(rendered) };
}

export const itemsOf = ({ included }: Rendered): LockedItem[] =>
  included.map(({ candidate: { artifact, label }, tokens, sha256 }) => {
    return { kind: artifact.kind, label, tokens, sha256 };
  });

import type { Artifact, Kind, Pack } from '../render/pack.ts';

/** A pack as a file carries it: what is meant, without ids, times, and what commands printed. */
export type PortableArtifact = Omit<Artifact, 'id' | 'added' | 'capture'>;

export interface PortablePack extends Pick<Pack, 'policy'> {
  name: string;
  artifacts: readonly PortableArtifact[];
  lock?: Lock;
  /** What the file asks for and is not taken from one. */
  notes: readonly string[];
}

/** What a pack rendered where it was exported. */
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

/** As anybody who takes the file can render it: what is sensitive is each person's to allow. */
export function sharedPart({ name, policy, artifacts }: PortablePack): Pack & { name: string } {
  const shared = artifacts.filter((one) => !isLocal(one));
  return {
    name,
    policy,
    artifacts: shared.map((one, added) => {
      const { allowSensitive: _, ...options } = one.options;
      return { ...one, options, id: '', added };
    }),
  };
}

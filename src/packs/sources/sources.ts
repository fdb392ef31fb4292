import type { Project } from '../../project/open.ts';
import type { Artifact, Found, Kind, Sources } from '../render/pack.ts';

/** What one kind of source has. It reads, and runs nothing that was not run before; `upto` is the point that is asked of. */
export type SourceOf = (
  project: Project,
  artifact: Artifact,
  upto: number | undefined,
) => Promise<readonly Found[]>;

/** Each is loaded when it is first asked. */
const KINDS: Partial<Record<Kind, () => Promise<SourceOf>>> = {
  cmd: async () => (await import('./command.ts')).keptOutput,
  git: async () => (await import('./git-diff.ts')).gitDiff,
};

/** What git, kept commands and the journal have of an artifact. */
export const sourcesOf =
  (project: Project, upto?: number): Sources =>
  async (artifact) =>
    (await KINDS[artifact.kind]?.())?.(project, artifact, upto) ?? [];

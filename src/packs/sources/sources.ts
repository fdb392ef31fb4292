import type { Project } from '../../project/open.ts';
import type { ResolvedPoint } from '../../timetravel/resolve.ts';
import type { Artifact, Found, Kind, Sources } from '../render/pack.ts';

/** What one kind of source has, now or at a point. It reads, and runs nothing that was not run before. */
export type SourceOf = (
  project: Project,
  artifact: Artifact,
  at: ResolvedPoint | undefined,
) => Promise<readonly Found[]>;

/** Each is loaded when it is first asked. */
const KINDS: Partial<Record<Kind, () => Promise<SourceOf>>> = {
  cmd: async () => (await import('./command.ts')).keptOutput,
  git: async () => (await import('./git-diff.ts')).gitDiff,
  journal: async () => (await import('./journal.ts')).journalSource,
};

/** What git, kept commands and the journal have of an artifact. */
export const sourcesOf =
  (project: Project, at?: ResolvedPoint): Sources =>
  async (artifact) =>
    (await KINDS[artifact.kind]?.())?.(project, artifact, at) ?? [];

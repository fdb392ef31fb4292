import type { Project } from '../project/open.ts';
import { nameOfSnapshot } from './kept/snapshots.ts';
import { stalenessOf } from './kept/stale.ts';
import { packsOf, renderOf } from './of-project.ts';
import type { Artifact, Reason } from './render/pack.ts';
import type { Excluded, Rendered } from './render/render.ts';
import { pathsAsked, suggest } from './use/suggest.ts';

/** Something that a pack's owner may want to correct. */
export interface Finding {
  /** Why something is not in it; or `empty` of a collection, `stale` of the newest snapshot, `not_in_pack` of a file that it needs. */
  problem: Reason | 'empty' | 'stale' | 'not_in_pack';
  /** The source, the snapshot, or the file. */
  what: string;
  /** What is known besides. */
  about?: string;
}

/** So many files of a pack that import another need it; so many sessions that opened another soon missed it. */
const NEEDED_BY = { files: 3, sessions: 2 };
/** Of the files that it needs, the best. */
const NEEDED_MAX = 10;

/** What is wrong with a pack as it renders now. @throws Ben10Error PACK_NOT_FOUND */
export async function lint(project: Project, name: string): Promise<Finding[]> {
  const [pack] = packsOf(project, [name]);
  const rendered = await renderOf(project, { packs: [pack!] });
  const artifacts = pack!.artifacts.flatMap((one) => ofArtifact(one, rendered));
  return [
    ...artifacts,
    ...ofBudget(rendered),
    ...(await ofNeeded(project, name)),
    ...ofSnapshot(project, name, rendered),
  ];
}

const isOfBudget = ({ reason }: Excluded): boolean =>
  reason === 'over_budget' || reason === 'too_large';

/** What a person named is meant to be there. A collection may leave files out: it is wrong if nothing of it is there. */
function ofArtifact(artifact: Artifact, { included, excluded, found }: Rendered): Finding[] {
  const isOf = ({ candidate }: Pick<Excluded, 'candidate'>) =>
    candidate.artifact.id === artifact.id;
  const what = artifact.source;
  const items = included.filter(isOf);
  const cut = items.find(({ changes }) => changes.isCut);
  if (cut !== undefined)
    return [{ problem: 'range_past_end', what, about: `it ends at line ${cut.lines!.to}` }];
  if (found.has(artifact) && items.length > 0) return [];
  const left = excluded.filter(isOf);
  const reasons = new Set(left.filter((one) => !isOfBudget(one)).map(({ reason }) => reason));
  if (found.has(artifact) && left.length === 0) return [{ problem: 'empty', what }];
  return [...reasons].map((problem) => ({ problem, what }));
}

function ofBudget({ excluded }: Rendered): Finding[] {
  const left = excluded.filter(isOfBudget);
  if (left.length === 0) return [];
  const tokens = left.reduce((sum, one) => sum + (one.tokens ?? 0), 0);
  const about = `about ${tokens} tokens do not fit`;
  const labels = left.slice(0, 3).map(({ candidate }) => candidate.label);
  const more = left.length > labels.length ? ` and ${left.length - labels.length} more` : '';
  return [{ problem: 'over_budget', what: `${labels.join(', ')}${more}`, about }];
}

async function ofNeeded(project: Project, name: string): Promise<Finding[]> {
  const { files, missed } = await pathsAsked(project, name);
  const all = await suggest(project, files, { limit: Number.POSITIVE_INFINITY, missed });
  const needed = all.flatMap(({ file, why }): Finding[] => {
    const reasons = [
      why.importedBy >= NEEDED_BY.files && `imported by ${why.importedBy} of its files`,
      why.missed >= NEEDED_BY.sessions && `opened soon in ${why.missed} sessions that had it`,
    ].filter(Boolean);
    if (reasons.length === 0) return [];
    return [{ problem: 'not_in_pack', what: file, about: reasons.join(', ') }];
  });
  return needed.slice(0, NEEDED_MAX);
}

function ofSnapshot(project: Project, name: string, rendered: Rendered): Finding[] {
  const found = stalenessOf(project, [name], rendered);
  if (found === undefined || found.snapshot.renderHash === rendered.renderHash) return [];
  const about = `items that differ: ${found.items}`;
  return [{ problem: 'stale', what: nameOfSnapshot(found.snapshot), about }];
}

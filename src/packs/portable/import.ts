import type { Project } from '../../project/open.ts';
import { fieldOf } from '../../projections/bounds.ts';
import type { PacksState } from '../../projections/folds/packs.ts';
import { adding, append, type By, refuseMore, refuseName, stateNow, type Told } from '../change.ts';
import { packsOf } from '../of-project.ts';
import type { Artifact } from '../render/pack.ts';
import { refuseSecrets } from '../to-add.ts';
import type { PortableArtifact, PortablePack } from './portable.ts';

export interface Planned {
  pack: PortablePack;
  isNew: boolean;
  isNewPolicy: boolean;
  /** From the first difference on all are removed and added again: their order is part of what is rendered. */
  removed: readonly Artifact[];
  added: readonly PortableArtifact[];
}

export const isNoChange = ({ isNew, isNewPolicy, removed, added }: Planned): boolean =>
  !isNew && !isNewPolicy && removed.length === 0 && added.length === 0;

/** What makes the journal's packs equal to those of a file; others stay. @throws Ben10Error USAGE, LIMIT_EXCEEDED */
export function planned(project: Project, packs: readonly PortablePack[]): Planned[] {
  const state = stateNow(project);
  const plan = packs.map((pack) => planOf(project, state, pack));
  refuseMore(state, {
    packs: plan.filter(({ isNew }) => isNew).length,
    artifacts: plan.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0),
  });
  return plan;
}

function planOf(project: Project, { packs }: PacksState, pack: PortablePack): Planned {
  const { name } = pack;
  refuseName(project, name);
  const artifacts = pack.artifacts.map((one) => {
    refuseSecrets(project, one);
    return one.text === undefined ? one : { ...one, text: project.redact(one.text) };
  });
  const known = fieldOf(packs, name);
  const before = known === undefined ? [] : packsOf(project, [name])[0]!.artifacts;
  const first = artifacts.findIndex((one, n) => !isEqual(one, before[n]));
  const from = first === -1 ? artifacts.length : first;
  return {
    pack,
    isNew: known === undefined,
    isNewPolicy: known !== undefined && said(known.policy) !== said(pack.policy),
    removed: before.slice(from),
    added: artifacts.slice(from),
  };
}

/** What a person allowed here does not matter: a file cannot. */
function isEqual(one: PortableArtifact, other: Artifact | undefined): boolean {
  const textOf = ({ kind, source, text, priority, options }: PortableArtifact): string => {
    const { allowSensitive: _, ...rest } = options;
    return said({ kind, source: text ?? source, priority, ...rest });
  };
  return other !== undefined && textOf(one) === textOf(other);
}

/** Alike for equal fields in any order. */
const said = (fields: object): string =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

/** All of it, or nothing. */
export function carryOut(project: Project, plan: readonly Planned[], by: By): void {
  const told = plan.flatMap(({ pack: { name, policy }, isNew, isNewPolicy, removed, added }) => [
    ...removed.map(({ id }): Told => ['pack.artifact-removed', { name, artifact: id }]),
    ...(isNew ? [['pack.created', { name, policy }] satisfies Told] : []),
    ...(isNewPolicy ? [['pack.changed', { name, policy }] satisfies Told] : []),
    ...added.map((one) => adding(project, name, one)),
  ]);
  append(project, by, ...told);
}

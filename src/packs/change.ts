import type { EventData, EventType, PackOptions, PackPolicy, Source } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import {
  ARTIFACTS_IN_ALL_MAX,
  ARTIFACTS_MAX,
  type ArtifactRecord,
  artifactsIn,
  isSameArtifact,
  PACK_NAME,
  PACKS_MAX,
  type PacksState,
} from '../projections/folds/packs.ts';
import { oneLine } from '../projections/safe-text.ts';
import { drainInbox } from '../timetravel/append.ts';
import { packNamed, packsAt, packsOf, policyOf } from './of-project.ts';
import type { Artifact } from './render/pack.ts';
import { parseSource, usage } from './render/source.ts';
import { checkedAll } from './to-add.ts';

/** Who asks: the command line, or a server's tool. */
export type By = Extract<Source, 'cli' | 'tool'>;

/** @throws Ben10Error PACK_EXISTS, LIMIT_EXCEEDED; USAGE for a name that is none, or has a secret */
export function createPack(
  project: Project,
  name: string,
  asked: Partial<PackPolicy>,
  by: By,
): PackPolicy {
  const policy = { ...policyOf(project), ...asked };
  append(project, by, creating(project, stateNow(project), name, policy));
  return policy;
}

function creating(project: Project, state: PacksState, name: string, policy: PackPolicy): Told {
  refuseName(project, name);
  if (fieldOf(state.packs, name) !== undefined)
    throw new Ben10Error('PACK_EXISTS', `there is a pack "${name}"`, {
      next: `Take another name, or change it: ben10 pack set ${name}`,
    });
  refuseMore(state, { packs: 1 });
  return ['pack.created', { name, policy }];
}

/** @throws Ben10Error PACK_NOT_FOUND */
export function setPack(
  project: Project,
  name: string,
  asked: Partial<PackPolicy>,
  by: By,
): PackPolicy {
  const policy = { ...packNamed(stateNow(project), name).policy, ...asked };
  append(project, by, ['pack.changed', { name, policy }]);
  return policy;
}

/** What commands printed is not copied. @throws Ben10Error PACK_NOT_FOUND; as `createPack` */
export function copyPack(project: Project, from: string, to: string, by: By): void {
  const state = stateNow(project);
  packNamed(state, from);
  const { policy, artifacts } = packsOf(project, [from])[0]!;
  const created = creating(project, state, to, policy);
  refuseMore(state, { artifacts: artifacts.length });
  append(project, by, created, ...artifacts.map((one) => adding(project, to, one)));
}

/** Its snapshots stay. @throws Ben10Error PACK_NOT_FOUND */
export function deletePack(project: Project, name: string, by: By): void {
  packNamed(stateNow(project), name);
  append(project, by, ['pack.deleted', { name }]);
}

interface How {
  /** -1000 to 1000; 0 by default. */
  priority?: number | undefined;
  options?: PackOptions;
}

export type AddedRecord = ArtifactRecord & { isNew: boolean };

/**
 * A source that is there already gets the priority and the options that are given, and keeps its others.
 * @returns the artifacts as they are now, in the order given
 * @throws Ben10Error PACK_NOT_FOUND; LIMIT_EXCEEDED; as `checkedAll`, and then none is added
 */
export async function addSources(
  project: Project,
  name: string,
  sources: readonly string[],
  { priority, options = {} }: How,
  by: By,
): Promise<AddedRecord[]> {
  const most = PRIORITY_MAX;
  if (priority !== undefined && !(Math.abs(priority) <= most && Number.isInteger(priority)))
    throw usage(
      'that is no priority',
      `Give a whole number from -${most} to ${most}; the highest comes first.`,
    );
  packNamed(stateNow(project), name);
  if (sources.length === 0)
    throw usage('there is nothing to add', 'Give a path, or a source such as glob:src/**');
  const checked = await checkedAll(project, name, sources, options);
  const state = stateNow(project);
  const { artifacts } = packNamed(state, name);
  const isFirst = (one: (typeof checked)[number], n: number) =>
    !checked.slice(0, n).some((other) => isSameArtifact(other, one));
  const records = checked.filter(isFirst).map((one) => {
    const known = artifacts.find((other) => isSameArtifact(other, one));
    return {
      added: 0,
      ...known,
      ...one,
      id: known?.id ?? newId(project),
      priority: priority ?? known?.priority ?? 0,
      options: { ...known?.options, ...one.options },
      isNew: known === undefined,
    };
  });
  const more = records.filter(({ isNew }) => isNew).length;
  if (artifacts.length + more > ARTIFACTS_MAX)
    throw tooMany('artifacts in a pack', artifacts.length + more, ARTIFACTS_MAX);
  refuseMore(state, { artifacts: more });
  const told = records.map(({ isNew, id, ...one }): Told => {
    const { priority: now, options: all } = one;
    return isNew
      ? adding(project, name, one, id)
      : ['pack.artifact-changed', { name, artifact: id, priority: now, options: all }];
  });
  append(project, by, ...told);
  const now = packsAt(project).packs[name]?.artifacts ?? [];
  return records.map(({ text: _, ...one }) => {
    // As it is stored: without secrets.
    const { source, added } = now.find(({ id }) => id === one.id) ?? one;
    return { ...one, source, added };
  });
}

export const PRIORITY_MAX = 1000;

export function removeArtifact(
  project: Project,
  name: string,
  what: string,
  by: By,
): ArtifactRecord {
  const found = artifactIn(stateNow(project), name, what);
  append(project, by, ['pack.artifact-removed', { name, artifact: found.id }]);
  return found;
}

/** By the start of its id, or its source. @throws Ben10Error PACK_NOT_FOUND; USAGE if several fit */
export function artifactIn(state: PacksState, name: string, what: string): ArtifactRecord {
  const { artifacts } = packNamed(state, name);
  const byId = artifacts.filter(({ id }) => what !== '' && id.startsWith(what));
  const source = byId.length > 0 || what === '' ? undefined : parseSource(what).source;
  const found = byId.length > 0 ? byId : artifacts.filter((one) => one.source === source);
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new Ben10Error(
      'PACK_NOT_FOUND',
      `pack "${name}" has no "${oneLine(what).slice(0, 60)}"`,
      { next: `What it has: ben10 pack show ${name}` },
    );
  const ids = found.slice(0, 5).map(({ id }) => id);
  throw usage(
    `${found.length} artifacts of pack "${name}" fit`,
    `Give one of their ids: ${ids.join(', ')}`,
  );
}

/** With what waits in the inbox. */
export function stateNow(project: Project): PacksState {
  drainInbox(project);
  return packsAt(project);
}

const ID_BYTES = 4;
const newId = ({ ports }: Project): string => randomHex(ports.random, ID_BYTES);

export type Told = { [T in EventType]: [type: T, data: EventData[T]] }[EventType];

export function adding(
  project: Project,
  name: string,
  { kind, source, priority, options, text }: Omit<Artifact, 'id' | 'added'>,
  artifact: string = newId(project),
): Told {
  const all = { name, artifact, kind, source, priority, options };
  return ['pack.artifact-added', { ...all, ...(text !== undefined && { text }) }];
}

export function append({ recorder }: Project, by: By, ...told: readonly Told[]): void {
  const events = told.map(([type, data]) => recorder.ownEvent(type, null, data, by));
  if (events.length > 0) recorder.append(events);
}

export function refuseName({ recorder }: Project, name: string): void {
  if (PACK_NAME.test(name) && recorder.kept(name) === name) return;
  throw usage(
    'that is no name for a pack',
    'Take up to 60 of a-z, 0-9, ".", "_" and "-", a letter or digit first, and no secret.',
  );
}

/** @throws Ben10Error LIMIT_EXCEEDED */
export function refuseMore(
  { packs }: PacksState,
  more: { packs?: number; artifacts?: number },
): void {
  const all = Object.keys(packs).length + (more.packs ?? 0);
  if (all > PACKS_MAX) throw tooMany('packs', all, PACKS_MAX);
  const artifacts = artifactsIn(packs) + (more.artifacts ?? 0);
  if (artifacts > ARTIFACTS_IN_ALL_MAX)
    throw tooMany('artifacts in all packs', artifacts, ARTIFACTS_IN_ALL_MAX);
}

const tooMany = (what: string, wanted: number, most: number): Ben10Error =>
  new Ben10Error('LIMIT_EXCEEDED', `that makes ${wanted} ${what}, the limit is ${most}`, {
    next: 'Remove some first: ben10 pack list',
  });

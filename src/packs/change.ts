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
import { parseSource } from './render/source.ts';
import { checkedAll } from './to-add.ts';

/** Who asks: the command line, or a server's tool. */
export type By = Extract<Source, 'cli' | 'tool'>;

/**
 * @param policy what is not in it is as the settings have it
 * @throws Ben10Error PACK_EXISTS, LIMIT_EXCEEDED; USAGE for a name that is none, or has a secret
 */
export function createPack(
  project: Project,
  name: string,
  policy: Partial<PackPolicy>,
  by: By,
): PackPolicy {
  const { packs } = stateNow(project);
  refuseName(project, name);
  if (fieldOf(packs, name) !== undefined) {
    throw new Ben10Error('PACK_EXISTS', `there is a pack "${name}"`, {
      next: `Take another name, or change it: ben10 pack set ${name}`,
    });
  }
  refuseMore('packs', Object.keys(packs).length + 1, PACKS_MAX);
  const whole = { ...policyOf(project), ...policy };
  append(project, by, ['pack.created', { name, policy: whole }]);
  return whole;
}

/** @throws Ben10Error PACK_NOT_FOUND */
export function setPack(
  project: Project,
  name: string,
  policy: Partial<PackPolicy>,
  by: By,
): PackPolicy {
  const whole = { ...packNamed(stateNow(project), name).policy, ...policy };
  append(project, by, ['pack.changed', { name, policy: whole }]);
  return whole;
}

/** What commands printed is not copied. @throws Ben10Error PACK_NOT_FOUND; as `createPack` */
export function copyPack(project: Project, from: string, to: string, by: By): void {
  const state = stateNow(project);
  packNamed(state, from);
  const [pack] = packsOf(project, [from]);
  const { policy, artifacts } = pack!;
  refuseMore(
    'artifacts in all packs',
    artifactsIn(state.packs) + artifacts.length,
    ARTIFACTS_IN_ALL_MAX,
  );
  createPack(project, to, policy, by);
  append(project, by, ...artifacts.map((one) => adding(to, { ...one, id: newId(project) })));
}

/** Its snapshots stay. @throws Ben10Error PACK_NOT_FOUND */
export function deletePack(project: Project, name: string, by: By): void {
  packNamed(stateNow(project), name);
  append(project, by, ['pack.deleted', { name }]);
}

interface How {
  /** -1000 to 1000; 0 by default. */
  priority?: number | undefined;
  /** Each source takes those that are for its kind. */
  options?: PackOptions;
}

export interface AddedRecord extends ArtifactRecord {
  /** It was not there before. */
  isNew: boolean;
}

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
  if (
    priority !== undefined &&
    !(Math.abs(priority) <= PRIORITY_MAX && Number.isInteger(priority))
  ) {
    throw new Ben10Error('USAGE', 'that is no priority', {
      next: `Give a whole number from -${PRIORITY_MAX} to ${PRIORITY_MAX}; the highest comes first.`,
    });
  }
  packNamed(stateNow(project), name);
  if (sources.length === 0) {
    throw new Ben10Error('USAGE', 'there is nothing to add', {
      next: 'Give a path, or a source such as glob:src/**',
    });
  }
  const checked = await checkedAll(project, name, sources, options);
  const state = stateNow(project);
  const { artifacts } = packNamed(state, name);
  const records = new Map<string, AddedRecord>();
  const events: Told[] = [];
  for (const one of checked) {
    const isSame = (it: ArtifactRecord): boolean => isSameArtifact(it, one);
    const known = [...records.values()].find(isSame) ?? artifacts.find(isSame);
    const id = known?.id ?? newId(project);
    const artifact = {
      ...known,
      ...one,
      id,
      priority: priority ?? known?.priority ?? 0,
      options: { ...known?.options, ...one.options },
      added: known?.added ?? 0,
    };
    const isNew = records.get(id)?.isNew ?? known === undefined;
    records.set(id, { ...artifact, isNew });
    events.push(
      known === undefined
        ? adding(name, artifact)
        : [
            'pack.artifact-changed',
            { name, artifact: id, priority: artifact.priority, options: artifact.options },
          ],
    );
  }
  const more = events.filter(([type]) => type === 'pack.artifact-added').length;
  refuseMore('artifacts in a pack', artifacts.length + more, ARTIFACTS_MAX);
  refuseMore('artifacts in all packs', artifactsIn(state.packs) + more, ARTIFACTS_IN_ALL_MAX);
  append(project, by, ...events);
  const now = packsAt(project).packs[name]?.artifacts ?? [];
  return Array.from(records.values(), ({ text: _, ...one }: AddedRecord & { text?: string }) => {
    // As it is stored: without secrets.
    const { source, added } = now.find(({ id }) => id === one.id) ?? one;
    return { ...one, source, added };
  });
}

export const PRIORITY_MAX = 1000;

/**
 * @param what the start of an artifact's id, or its source
 * @throws Ben10Error PACK_NOT_FOUND; USAGE if several fit
 */
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
  const [first, second] = found;
  if (second !== undefined) {
    throw new Ben10Error('USAGE', `${found.length} artifacts of pack "${name}" fit`, {
      next: `Give one of their ids: ${found
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}`,
    });
  }
  if (first !== undefined) return first;
  throw new Ben10Error('PACK_NOT_FOUND', `pack "${name}" has no "${oneLine(what).slice(0, 60)}"`, {
    next: `What it has: ben10 pack show ${name}`,
  });
}

/** With what waits in the inbox. */
export function stateNow(project: Project): PacksState {
  drainInbox(project);
  return packsAt(project);
}

const ID_BYTES = 4;
export const newId = ({ ports }: Project): string => randomHex(ports.random, ID_BYTES);

export type Told = { [T in EventType]: [type: T, data: EventData[T]] }[EventType];

export function adding(
  name: string,
  { id, kind, source, priority, options, text }: Artifact,
): Told {
  const all = { name, artifact: id, kind, source, priority, options };
  return ['pack.artifact-added', { ...all, ...(text !== undefined && { text }) }];
}

export function append({ recorder }: Project, by: By, ...told: readonly Told[]): void {
  const events = told.map(([type, data]) => recorder.ownEvent(type, null, data, by));
  if (events.length > 0) recorder.append(events);
}

export function refuseName({ recorder }: Project, name: string): void {
  if (PACK_NAME.test(name) && recorder.kept(name) === name) return;
  throw new Ben10Error('USAGE', 'that is no name for a pack', {
    next: 'Take up to 60 of a-z, 0-9, ".", "_" and "-", a letter or digit first, and no secret.',
  });
}

export function refuseMore(what: string, wanted: number, most: number): void {
  if (wanted <= most) return;
  throw new Ben10Error('LIMIT_EXCEEDED', `that makes ${wanted} ${what}, the limit is ${most}`, {
    next: 'Remove some first: ben10 pack list',
  });
}

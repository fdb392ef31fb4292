import type { EnvironmentThing } from '../events/types.ts';
import { DETAIL_CHARS, isActive, NAME_CHARS, STATE_CHARS } from '../projections/folds/workspace.ts';
import type { Container, DevContext, Repository, Unseen } from './context.ts';
import { nameOf, statusOf } from './layouts/words.ts';

/** The kinds of things that a look records. */
export const KINDS = ['hint', 'repository', 'container', 'device', 'server', 'tool'] as const;
export type Kind = (typeof KINDS)[number];

/** Between the parts of a detail. */
const APART = ' · ';

/** The sections of a look that are recorded, besides the hint. */
type Recorded = 'repositories' | 'containers' | 'devices' | 'servers' | 'tools';

type Part<K extends keyof DevContext> = DevContext[K] extends (infer T)[] ? T : never;

/** Limit of each kind; the projection has room for all together. */
const KIND_MAX: Readonly<Record<Kind, number>> = {
  hint: 10,
  repository: 20,
  container: 40,
  device: 20,
  server: 20,
  tool: 10,
};

const thing = (kind: Kind, name: string, state: string): EnvironmentThing => ({
  kind,
  name,
  state,
});

const repository = (one: Repository): EnvironmentThing => ({
  ...thing('repository', nameOf(one), one.branch),
  ...(one.changes !== null && { detail: [statusOf(one), one.commit].join(APART) }),
});

const container = (one: Container): EnvironmentThing => ({
  ...thing('container', one.name, one.state),
  // The image last: it may be too long.
  detail: [one.status, ...(one.runtime === null ? [] : [one.runtime]), one.image].join(APART),
});

/**
 * What was found, as things by kind; kinds that could not be examined are left out.
 * @param before what the last look recorded
 */
export function thingsOf(
  found: { [K in Recorded]: DevContext[K] | undefined },
  hint: string,
  before: readonly EnvironmentThing[],
): Map<Kind, { things: EnvironmentThing[]; isCut: boolean }> {
  const known = new Map(before.map((one) => [keyOf(one), one]));
  const kinds = new Map<Kind, { things: EnvironmentThing[]; isCut: boolean }>();
  const add = <T extends object>(
    kind: Kind,
    list: (T & Unseen)[] | undefined,
    make: (one: T) => EnvironmentThing,
  ) => {
    if (list === undefined) return;
    const things = list.map((one): EnvironmentThing => {
      const thing = shortened(make(one));
      const then = known.get(keyOf(thing));
      if (then !== undefined && one.unseen === true) return { ...then, unseen: true };
      return then !== undefined && thing.detail === undefined
        ? withKnownDetail(then, thing)
        : thing;
    });
    const max = KIND_MAX[kind];
    const isCut = things.length > max;
    kinds.set(kind, { things: isCut ? firstOf(things, known, max) : things, isCut });
  };
  add('hint', splitHint(hint), (one) => one);
  add('repository', found.repositories, repository);
  add('container', found.containers, container);
  add('device', found.devices, ({ serial, state, type }) => ({
    ...thing('device', serial, state),
    detail: type,
  }));
  add('server', found.servers, ({ port, program }) => thing('server', `:${port}`, program));
  add('tool', found.tools, ({ name, version }) => thing('tool', name, version));
  return kinds;
}

const keyOf = ({ kind, name }: EnvironmentThing): string => `${kind} ${name}`;

/** What ran at the last look first, so that what is not listed of it is gone; then what runs, then what was there. */
function firstOf(
  things: readonly EnvironmentThing[],
  known: ReadonlyMap<string, EnvironmentThing>,
  max: number,
): EnvironmentThing[] {
  const rank = (one: EnvironmentThing): number => {
    const then = known.get(keyOf(one));
    if (then !== undefined && isActive(then)) return 0;
    return isActive(one) ? 1 : then === undefined ? 3 : 2;
  };
  return [...things].sort((a, b) => rank(a) - rank(b)).slice(0, max);
}

/** A thing of which only the state is known now, with its earlier detail as far as that may still hold. */
export function withKnownDetail(then: EnvironmentThing, { kind, name, state }: EnvironmentThing) {
  if (then.detail === undefined) return { kind, name, state };
  // On another branch, uncommitted changes stay; the commit and the upstream are unknown.
  const detail =
    kind === 'repository' && then.state !== state
      ? then.detail.replace(/ · .*$| ?[↑↓]\d+/gs, '')
      : then.detail;
  return { kind, name, state, detail };
}

/** As short as the projection keeps it, so that both compare. */
const shortened = ({ kind, name, state, detail }: EnvironmentThing): EnvironmentThing => ({
  kind,
  name: head(name, NAME_CHARS),
  state: head(state, STATE_CHARS),
  ...(detail !== undefined && { detail: head(detail, DETAIL_CHARS) }),
});

const head = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).toWellFormed();

/** A hint is longer than a state: it is kept in numbered pieces. */
function splitHint(hint: string): EnvironmentThing[] {
  const pieces: EnvironmentThing[] = [];
  for (let from = 0; from < hint.length; from += STATE_CHARS)
    pieces.push(thing('hint', String(pieces.length), hint.slice(from, from + STATE_CHARS)));
  return pieces;
}

/** Recorded things as parts of a context. */
export function partsOf(
  things: readonly EnvironmentThing[],
): Pick<DevContext, 'hint' | 'repositories' | 'containers' | 'devices' | 'servers' | 'tools'> {
  const of = (kind: Kind) => things.filter((one) => one.kind === kind);
  return {
    hint: of('hint')
      .map(({ state }) => state)
      .join(''),
    repositories: of('repository').map(repositoryOf),
    containers: of('container').map(containerOf),
    devices: of('device').map(({ name, state, detail }): Part<'devices'> => {
      return { serial: name, state, type: detail === 'fastboot' ? 'fastboot' : 'adb' };
    }),
    servers: of('server').map(({ name, state }) => ({
      port: Number(name.slice(1)),
      program: state,
    })),
    tools: of('tool').map(({ name, state }) => ({ name, version: state })),
  };
}

function repositoryOf({ name, state, detail }: EnvironmentThing): Part<'repositories'> {
  const [, own = name, kind] = /^(.*) \((submodule|worktree)\)$/.exec(name) ?? [];
  const [status, commit] = apart(detail ?? '');
  // A prompt's hook knows only the branch.
  const count = (arrow: RegExp): number | null =>
    commit === undefined ? null : Number(arrow.exec(status)?.[1] ?? 0);
  const changes = detail === undefined ? null : status.replace(/ ?[↑↓]\d+/g, '').trim();
  return {
    name: own,
    kind: kind === 'submodule' || kind === 'worktree' ? kind : 'repository',
    branch: state,
    ahead: count(/↑(\d+)/),
    behind: count(/↓(\d+)/),
    changes: changes === 'clean' ? '' : changes,
    commit: commit ?? '',
  };
}

function containerOf({ name, state, detail = '' }: EnvironmentThing): Part<'containers'> {
  const [status, rest = ''] = apart(detail);
  // Older journals have no runtime.
  const [runtime, image] = apart(rest);
  return image !== undefined && (runtime === 'docker' || runtime === 'podman')
    ? { name, state, status, image, runtime }
    : { name, state, status, image: rest, runtime: null };
}

/** The first part, and the rest. Cleaning may have removed the spaces at the ends. */
function apart(detail: string): [first: string, rest: string | undefined] {
  const [, first = detail, rest] = /^(.*?) ?· ?(.*)$/s.exec(detail) ?? [];
  return [first, rest];
}

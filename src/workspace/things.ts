import type { EnvironmentThing } from '../events/types.ts';
import {
  DETAIL_CHARS,
  NAME_CHARS,
  STATE_CHARS,
  THINGS_MAX,
} from '../projections/folds/workspace.ts';
import type { Collected } from './collectors/index.ts';
import type { Container, DevContext, Repository } from './context.ts';
import { nameOf, statusOf } from './layouts/words.ts';

/** The kinds of things that a look records, and what of a context they are. */
export const KINDS = ['hint', 'repository', 'container', 'device', 'server', 'tool'] as const;
export type Kind = (typeof KINDS)[number];

/** Between the parts of a detail. */
const APART = ' · ';

type Part<K extends keyof DevContext> = DevContext[K] extends (infer T)[] ? T : never;

const repository = (one: Repository): EnvironmentThing => ({
  kind: 'repository',
  name: nameOf(one),
  state: one.branch,
  detail: [statusOf(one), one.commit].join(APART),
});

const container = (one: Container): EnvironmentThing => ({
  kind: 'container',
  name: one.name,
  state: one.state,
  // The image last: it may be too long.
  detail: [one.status, ...(one.runtime === null ? [] : [one.runtime]), one.image].join(APART),
});

/** What was found, as things; kinds that nobody could look at are left out. */
export function thingsOf(
  found: Collected,
  hint: string,
): { kinds: Kind[]; things: EnvironmentThing[] } {
  const lists: [Kind, EnvironmentThing[] | undefined][] = [
    ['hint', hint === '' ? [] : splitHint(hint)],
    ['repository', found.repositories?.map(repository)],
    ['container', found.containers?.map(container)],
    [
      'device',
      found.devices?.map(({ serial, state, type }) => ({
        kind: 'device',
        name: serial,
        state,
        detail: type,
      })),
    ],
    [
      'server',
      found.servers?.map(({ port, program }) => ({
        kind: 'server',
        name: `:${port}`,
        state: program,
      })),
    ],
    ['tool', found.tools?.map(({ name, version }) => ({ kind: 'tool', name, state: version }))],
  ];
  const kinds = lists.flatMap(([kind, list]) => (list === undefined ? [] : [kind]));
  const things = lists.flatMap(([, list]) => list ?? []).slice(0, THINGS_MAX);
  return { kinds, things: things.map(cut) };
}

/** As short as the projection keeps it, so that both compare. */
const cut = ({ kind, name, state, detail }: EnvironmentThing): EnvironmentThing => ({
  kind,
  name: head(name, NAME_CHARS),
  state: head(state, STATE_CHARS),
  ...(detail !== undefined && { detail: head(detail, DETAIL_CHARS) }),
});

const head = (text: string, chars: number): string =>
  text.length <= chars ? text : text.slice(0, chars).toWellFormed();

/** A hint is longer than a thing's state: it is kept in pieces, by their number. */
function splitHint(hint: string): EnvironmentThing[] {
  const pieces: EnvironmentThing[] = [];
  for (let from = 0; from < hint.length; from += STATE_CHARS)
    pieces.push({
      kind: 'hint',
      name: String(pieces.length),
      state: hint.slice(from, from + STATE_CHARS),
    });
  return pieces;
}

/** What a look recorded, as the parts of a context that it was made of. */
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

function repositoryOf({ name, state, detail = '' }: EnvironmentThing): Part<'repositories'> {
  const [, own = name, kind] = /^(.*) \((submodule|worktree)\)$/.exec(name) ?? [];
  const [status, commit] = apart(detail);
  // A prompt's hook knows no more than the branch: neither its newest commit nor how it stands to its upstream.
  const count = (arrow: RegExp): number | null =>
    commit === undefined ? null : Number(arrow.exec(status)?.[1] ?? 0);
  const changes = status.replace(/ ?[↑↓]\d+/g, '').trim();
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
  // Journals from before the runtime was recorded have none.
  const [runtime, image] = apart(rest);
  return image !== undefined && (runtime === 'docker' || runtime === 'podman')
    ? { name, state, status, image, runtime }
    : { name, state, status, image: rest, runtime: null };
}

/** A first part and all behind it. What was cleaned since may have lost the spaces at its ends. */
function apart(detail: string): [first: string, rest: string | undefined] {
  const [, first = detail, rest] = /^(.*?) ?· ?(.*)$/s.exec(detail) ?? [];
  return [first, rest];
}

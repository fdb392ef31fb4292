import path from 'node:path';
import type { WorkspaceSettings } from '../platform/config/keys.ts';
import { type Place, placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import type { Cut } from '../projections/gather.ts';
import { cleaner } from './clean.ts';
import { commandsOf } from './collectors/commands.ts';
import { workOf } from './collectors/work-state.ts';
import type { DevContext } from './context.ts';
import { recordedAt } from './recorded.ts';
import { partsOf } from './things.ts';

export interface AtPoint {
  cut?: Cut;
  /** See `RecordedOptions`. */
  own?: Cut | undefined;
  session?: string | undefined;
  place?: Place;
}

/**
 * The development context from the journal alone: saved work, what sessions did, and the last look before the
 * point. Starts no program. Scripts, build targets and the entry point are not recorded.
 */
export function contextAt(
  project: Project,
  settings: Pick<WorkspaceSettings, 'project' | 'hints' | 'history'>,
  { cut, own, session, place = placeOf(project.dir) }: AtPoint = {},
): DevContext {
  const clean = cleaner(project.redact);
  const recorded = recordedAt(project, place, { ...(cut && { cut }), session, own });
  const around = { dir: place.dir, recorded, clean };
  const { things = [], changes = [] } = recorded().worktree ?? {};
  // Nobody knows whether an unseen thing was there.
  const seen = things.filter(({ unseen }) => unseen !== true);
  const parts = partsOf(seen.map((one) => cleaned(one, clean)));
  const [work] = workOf(around);
  return {
    project: {
      name: clean(settings.project.name || path.basename(place.dir), 100),
      type: clean(settings.project.type, 100),
      entryPoint: '',
    },
    ...parts,
    // Ages of commits and containers were true at the look only.
    repositories: parts.repositories.map((one) => ({ ...one, commit: ageless(one.commit) })),
    containers: parts.containers.map((one) => ({ ...one, status: ageless(one.status) })),
    hint: parts.hint || clean(settings.hints.default, 500),
    work,
    targets: [],
    scripts: [],
    commands: commandsOf(around, settings.history),
    changes: changes.map((one) => cleanedChange(one, clean)),
  };
}

/** Fields that are not recorded at a point, by path; their values mean nothing. */
export const notRecordedIn = ({ repositories, containers }: DevContext): string[] => [
  // Files, which were not examined then.
  'targets',
  'scripts',
  'project.entryPoint',
  ...(repositories.some(({ ahead }) => ahead === null)
    ? ['repositories.ahead', 'repositories.behind']
    : []),
  ...(repositories.some(({ changes }) => changes === null) ? ['repositories.changes'] : []),
  ...(containers.some(({ runtime }) => runtime === null) ? ['containers.runtime'] : []),
];

/** `0a1b2c3 Fix it (3 days ago)`, `Up About an hour (healthy)`, `Exited (0) 2 weeks ago` without the time. */
const ageless = (text: string): string =>
  text
    .replace(/ \([^()]* ago\)$/, '')
    .replace(
      / (?:about |less than )?(?:an?|\d+) (?:second|minute|hour|day|week|month|year)s?(?: ago)?(?= \(|$)/i,
      '',
    );

type Thing = Parameters<typeof partsOf>[0][number];
type Change = DevContext['changes'][number];

/** Things come from outside, and the journal may, too. */
const cleaned = (
  { kind, name, state, detail }: Thing,
  clean: ReturnType<typeof cleaner>,
): Thing => ({
  kind,
  name: clean(name, 100),
  // A piece of a hint may end in a space.
  state: kind === 'hint' ? state : clean(state, 100),
  ...(detail !== undefined && { detail: clean(detail, 200) }),
});

export const cleanedChange = (change: Change, clean: ReturnType<typeof cleaner>): Change => ({
  ...change,
  name: clean(change.name, 100),
  from: change.from === null ? null : clean(change.from, 100),
  to: change.to === null ? null : clean(change.to, 100),
});

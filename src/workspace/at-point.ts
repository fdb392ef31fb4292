import path from 'node:path';
import type { WorkspaceSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import type { Cut } from '../projections/gather.ts';
import { cleaner } from './clean.ts';
import { commandsOf } from './collectors/commands.ts';
import { workOf } from './collectors/work-state.ts';
import type { DevContext } from './context.ts';
import { type Place, placeOf } from './place.ts';
import { recordedAt } from './recorded.ts';
import { partsOf } from './things.ts';

export interface AtPoint {
  cut?: Cut;
  /** As `RecordedOptions` has it. */
  own?: Cut | undefined;
  session?: string | undefined;
  place?: Place;
}

/**
 * A development context as the journal has it: what was saved, what the sessions did, and what the last look before the
 * point found. Starts no program. Scripts, build targets and the entry point are of files, which nobody looked at then.
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
  // That what nobody could see was there nobody knows.
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
    // How old a commit was, and how long a container was up, was so at the look.
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

/** Fields of a context at a point that nobody recorded, by their paths; what they hold there says nothing. */
export const notRecordedIn = ({ repositories, containers }: DevContext): string[] => [
  // Files, which nobody looked at then.
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

/** What a journal says came from outside, and the journal itself may have. */
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

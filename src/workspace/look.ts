import type { EnvironmentObserved, EnvironmentThing, Source } from '../events/types.ts';
import type { WorkspaceSettings } from '../platform/config/keys.ts';
import { type Place, placeOf } from '../platform/place.ts';
import { runner } from '../platform/programs/run.ts';
import type { Project } from '../project/open.ts';
import type { WorktreeState } from '../projections/folds/workspace.ts';
import { type AtPoint, cleanedChange, contextAt } from './at-point.ts';
import { type Clean, cleaner } from './clean.ts';
import { type Collected, collectAll } from './collectors/index.ts';
import type { DevContext } from './context.ts';
import { recordedAt } from './recorded.ts';
import { knownSettings } from './settings.ts';
import { type Kind, thingsOf } from './things.ts';

export interface LookOptions {
  /** The project's folder by default. */
  cwd?: string;
  session?: string | undefined;
  /** Environment of the programs. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Who looks; undefined to record nothing. */
  source: Source | undefined;
}

export interface Look {
  context: DevContext;
  /** Problems in the files that were read, for people. */
  notes: string[];
  /** Whether something new was recorded. */
  recorded: boolean;
}

const HINT_CHARS = 500;
const PROJECT_CHARS = 100;
/** Older changes are no news. */
const CHANGES_MS = 86_400_000;

/**
 * Looks at everything around the project at once, and records changes since the last look. Takes up to 1.3 s; what
 * is missing or slow is left empty. Throws the journal's errors only.
 */
export async function lookAround(
  project: Project,
  given: WorkspaceSettings,
  { cwd, session, env = process.env, source }: LookOptions,
): Promise<Look> {
  const place = placeOf(project.dir, cwd);
  const clean = cleaner(project.redact);
  const recorded = recordedAt(project, place, { session });
  const now = project.ports.clock.now();
  const { settings, notes } = await knownSettings(place.dir, given);
  // Before the collectors' time runs: folding blocks this process.
  const { worktree: before, contexts } = recorded();
  void [...contexts];
  const found = await collectAll((signal) => ({
    dir: place.dir,
    settings,
    run: runner(signal, env),
    clean,
    recorded,
    env,
    now,
  }));
  const hint = clean(settings.hints.default, HINT_CHARS);
  const asked = {
    container: settings.containers.runtime,
    repository: String(settings.git.enabled),
  };
  const isNew =
    source !== undefined &&
    observe(project, { place, before, session, source, asked }, found, hint);
  const after = isNew ? recordedAt(project, place)().worktree : before;
  const changes = (after?.changes ?? []).filter(({ at }) => now - at < CHANGES_MS);
  return {
    context: contextOf(found, settings, clean, hint, changes),
    notes: notes.map((note) => clean(note, 300)),
    recorded: isNew,
  };
}

/** What a context at a point lacks, for people and models. */
export const NOT_LOOKED_AT =
  'Which scripts, build targets and entry point there were is not recorded; name and type are as of now.';

/** The context at a point, by what was recorded. Name and type are read from today's files. */
export async function lookBack(
  project: Project,
  given: WorkspaceSettings,
  { cwd, ...at }: Pick<LookOptions, 'cwd'> & Pick<AtPoint, 'cut' | 'session'>,
): Promise<DevContext> {
  const place = placeOf(project.dir, cwd);
  const { settings } = await knownSettings(place.dir, given);
  return contextAt(project, { ...given, project: settings.project }, { ...at, place });
}

function contextOf(
  found: Collected,
  { project, scripts }: WorkspaceSettings,
  clean: Clean,
  hint: string,
  changes: DevContext['changes'],
): DevContext {
  const { work, ...rest } = found;
  const lists = Object.fromEntries(
    Object.entries(rest).map(([name, list = []]) => [
      name,
      list.filter((one) => !('unseen' in one)),
    ]),
  );
  return {
    ...(lists as { [K in keyof typeof rest]: NonNullable<(typeof rest)[K]> }),
    project: {
      name: clean(project.name, PROJECT_CHARS),
      type: clean(project.type, PROJECT_CHARS),
      entryPoint: clean(scripts.entryPoint, PROJECT_CHARS),
    },
    hint,
    work: work?.[0],
    changes: changes.map((one) => cleanedChange(one, clean)),
  };
}

interface Observing {
  place: Place;
  before: WorktreeState | undefined;
  session: string | undefined;
  source: Source;
  /** By kind, the settings of the look. */
  asked: { [K in Kind]?: string };
}

/** Records the kinds with changes. If that fails, the look does not. */
function observe(
  project: Project,
  { place, before, session, source, asked }: Observing,
  found: Collected,
  hint: string,
): boolean {
  const known = before?.things ?? [];
  const changed = [...thingsOf(found, hint, known)].filter(([kind, { things, isCut }]) => {
    if (before?.kinds.includes(kind) !== true || before.asked?.[kind] !== asked[kind]) return true;
    const then = known.filter((one) => one.kind === kind);
    return isCut !== (before.cut ?? []).includes(kind) || marksOf(things) !== marksOf(then);
  });
  if (changed.length === 0) return false;
  const { recorder, states } = project;
  const cut = changed.flatMap(([kind, { isCut }]) => (isCut ? [kind] : []));
  const data: EnvironmentObserved = {
    worktree: place.worktree,
    kinds: changed.map(([kind]) => kind),
    things: changed.flatMap(([, { things }]) => things),
    asked: Object.fromEntries(
      changed.flatMap(([kind]) => (asked[kind] === undefined ? [] : [[kind, asked[kind]]])),
    ),
    ...(cut.length > 0 && { cut }),
  };
  try {
    const whose = session ?? states.activeSession() ?? null;
    recorder.append([recorder.ownEvent('environment.observed', whose, data, source)]);
    return true;
  } catch {
    return false;
  }
}

/** Ages of containers and commits change with every look, and do not count. */
const marksOf = (things: readonly EnvironmentThing[]): string =>
  JSON.stringify(
    things
      .map(({ kind, name, state, detail = '', unseen = false }) => [
        name,
        state,
        kind === 'repository' ? detail.split(' · ')[0] : '',
        unseen,
      ])
      .sort((a, b) => (a[0]! < b[0]! ? -1 : 1)),
  );

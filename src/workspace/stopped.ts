import type { ContextState } from '../projections/folds/context.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import type { EnvironmentChange } from '../projections/folds/workspace.ts';
import { isObject, stringOf } from '../projections/tools-text.ts';
import { concernsContainer, RECENT_RUNS, runsCommands } from './matters.ts';

/** The client's tools that end a background shell, in later versions any task. */
const STOPS: ReadonlySet<string> = new Set(['KillBash', 'KillShell', 'TaskStop']);
/** Those that read its output. */
const READS: ReadonlySet<string> = new Set(['BashOutput', 'TaskOutput']);
/** How far back shells are looked for. */
const SHELLS_MAX = 20;

/** A shell that the session stopped, as far as the journal knows it. */
interface Shell {
  /** What ran in it, and since when; undefined if unknown. */
  command: string | undefined;
  startedAt: number | undefined;
  /** The command, and what was read of its output. */
  said: string;
}

/**
 * Changes that the session caused by stopping its own shells. A server belongs to the shell whose command or output
 * names its port, and to none that names others or started later. Otherwise each shell ended one server, or those
 * that came up together. If more are down than that, all are reported: a line too many costs less than a crash that
 * goes unnoticed.
 * @param past changes, oldest first: they tell since when a server listens
 * @param dataOf an event's data; undefined if unreadable
 */
export function stoppedByItself(
  changes: readonly EnvironmentChange[],
  { tools }: ContextState,
  past: readonly EnvironmentChange[],
  dataOf: (seq: number) => unknown,
): ReadonlySet<EnvironmentChange> {
  const runs = tools.runs.filter(({ abandoned }) => !abandoned);
  const own = new Set<EnvironmentChange>();
  const open = new Map<EnvironmentChange, number | undefined>();
  const unknown = new Set<Shell>();
  const owners = new Map<Shell, number | undefined>();
  const known = new Map<ToolRun, Shell>();
  for (const change of changes) {
    if (!isEnded(change)) continue;
    const before = runs.filter(({ at }) => at <= change.at);
    const stops = before
      .filter((run) => runsCommands(run) || STOPS.has(run.name))
      .slice(-RECENT_RUNS)
      .filter(({ name, outcome }) => STOPS.has(name) && outcome !== 'failed');
    for (const stop of stops) {
      const shell = known.get(stop) ?? shellOf(stop, runs, dataOf);
      known.set(stop, shell);
      if (change.kind === 'container') {
        if (startedContainer(shell, before, change.name)) own.add(change);
        continue;
      }
      const cameAt = past.findLast(
        ({ kind, name, from, seq }) =>
          kind === 'server' && name === change.name && from === null && seq < change.seq,
      )?.at;
      const is = isServerOf(shell, change.name.slice(1), cameAt);
      if (is === true) {
        own.add(change);
        owners.set(shell, cameAt);
      }
      if (is !== undefined) continue;
      unknown.add(shell);
      open.set(change, cameAt);
    }
  }
  // A shell whose server is known had no other, except those that came up with it.
  for (const [shell, at] of owners) {
    unknown.delete(shell);
    for (const [change, cameAt] of open) if (at !== undefined && cameAt === at) own.add(change);
  }
  for (const change of own) open.delete(change);
  const groups = new Set([...open].map(([{ name }, cameAt]) => cameAt ?? name));
  if (groups.size <= unknown.size) for (const change of open.keys()) own.add(change);
  return own;
}

const isEnded = ({ kind, to }: EnvironmentChange): boolean =>
  (kind === 'server' && to === null) || (kind === 'container' && to !== 'running');

/** Undefined if it may be. */
function isServerOf(
  { said, startedAt }: Shell,
  port: string,
  cameAt: number | undefined,
): boolean | undefined {
  if (new RegExp(`(?<!\\d)${port}(?!\\d)`).test(said)) return true;
  if (NAMES_A_PORT.test(said)) return false;
  if (startedAt !== undefined && cameAt !== undefined && cameAt < startedAt) return false;
  return undefined;
}

const NAMES_A_PORT =
  /[\w\]]:\d{2,5}\b|\bport[= :]+\d{2,5}\b|-p[= ]?\d{2,5}\b|http\.server \d{2,5}\b/i;

/** If the shell's command is unknown, any container that the session started counts. */
const startedContainer = ({ command }: Shell, before: readonly ToolRun[], name: string): boolean =>
  command === undefined
    ? before.some((run) => runsCommands(run) && concernsContainer(run.about, name))
    : concernsContainer(command, name);

function shellOf(stop: ToolRun, runs: readonly ToolRun[], dataOf: (seq: number) => unknown): Shell {
  const id = idIn(dataOf(stop.seq), 'input');
  if (id === undefined) return { command: undefined, startedAt: undefined, said: '' };
  const before = runs.filter(({ seq }) => seq < stop.seq);
  const start = before
    .filter((run) => runsCommands(run) && run.outcome !== 'failed' && run.exitCode === null)
    .slice(-SHELLS_MAX)
    .findLast(
      ({ outcomeSeq }) => outcomeSeq !== null && idIn(dataOf(outcomeSeq), 'response') === id,
    );
  const reads = before
    .filter(({ name, about }) => READS.has(name) || about.includes(id))
    .slice(-SHELLS_MAX)
    .filter(({ name, seq }) => !READS.has(name) || idIn(dataOf(seq), 'input') === id);
  const said = [start?.about ?? '', ...reads.flatMap(({ head, tail }) => [head, tail])].join('\n');
  return { command: start?.about, startedAt: start?.at, said };
}

/** The id of a shell in a tool's input or answer. */
function idIn(data: unknown, field: 'input' | 'response'): string | undefined {
  const said = isObject(data) ? data[field] : undefined;
  if (!isObject(said)) return undefined;
  return stringOf(said.shell_id ?? said.task_id ?? said.bash_id ?? said.backgroundTaskId);
}

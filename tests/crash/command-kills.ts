import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { listSaves } from '../../src/timetravel/saves.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import { decoders, realPorts } from '../ports.ts';
import { loadSnapshot } from '../timetravel/snapshots/support.ts';
import { type Act, actsOf } from './command-acts.ts';
import { CommandScene } from './command-scene.ts';
import { type KilledTally, killAll, newKilledTally, type Target } from './killer.ts';
import { OLD_EVENTS } from './old-events.ts';

export interface CommandRun {
  /** Of the commands, those of one lane. */
  lane: number;
  lanes: number;
  oneIn: number;
  seed: number;
}

/** Kills each command at its places, and at a moment between. @param top an empty folder */
export async function killCommands(top: string, run: CommandRun): Promise<KilledTally> {
  const { lane, lanes, oneIn, seed } = run;
  const scene = new CommandScene(top);
  const acts = actsOf(scene).filter((_, index) => index % lanes === lane);
  const tally = newKilledTally();
  await killAll(targetsOf(scene, acts), { every: oneIn, offset: 0, seed }, tally);
  return tally;
}

function* targetsOf(scene: CommandScene, acts: readonly Act[]): Generator<Target> {
  for (const act of acts) yield targetOf(scene, act);
}

/** What holds before the act is found by asking, and what it may add by a run that nobody kills. */
function targetOf(stage: CommandScene, act: Act): Target {
  const before = stage.look((project) => {
    if (act.isDone(project)) throw new Error(`${act.name}: nothing to do`);
    const { seq: last } = replay(project).point;
    return { last, told: toldUpto(project, last), counts: countsOf(project) };
  });
  stage.putBack();
  const places = stage.program.placesOf(act.command);
  const most = stage.ask((project) => {
    if (!act.isDone(project)) throw new Error(`${act.name}: was not done`);
    return countsOf(project);
  });
  return {
    ...act,
    stage,
    places,
    *soundness(project) {
      if (toldUpto(project, before.last) !== before.told) yield 'what was before is another';
      for (const [type, n] of countsOf(project)) {
        // Whoever comes next makes a torn tail good, and says so.
        if (type === REPAIRED_TYPE) continue;
        const range = [before.counts.get(type) ?? 0, most.get(type) ?? 0] as const;
        if (n < range[0] || n > range[1]) yield `${type}: ${n}, not ${range.join(' to ')}`;
      }
      yield* storedUnsound(project);
    },
    afterwards(project) {
      for (const { name } of listSaves(project)) restore(project, { name, mode: 'summary' });
      return [];
    },
  };
}

function* storedUnsound(project: Project): Generator<string> {
  const { damage } = verifyJournal(realPorts, project.root, decoders);
  if (damage.length > 0) yield `damage: ${JSON.stringify(damage)}`;
  for (const { id, bytes } of listSnapshots(project).snapshots) {
    const { notes } = loadSnapshot(project, id);
    if (bytes > 0 && notes.length > 0) yield `snapshot ${id}: ${notes.join()}`;
  }
  if (listSaves(project).some(({ bytes }) => bytes === 0)) yield 'a save without its file';
  const current = path.join(project.root, 'current.ctx');
  if (decodeContainer(readFileSync(current), decoders, realPorts.xxh64) === undefined)
    yield 'current.ctx cannot be read';
}

/** How often each type of event is there, without the old ones. */
function countsOf({ reader, ports }: Project): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of readEvents(reader, ports.xxh64, { from: OLD_EVENTS + 1 }))
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** All entries that are not old up to a seq, and the state there, as one digest. */
function toldUpto(project: Project, last: number): string {
  const sum = createHash('sha256');
  for (const { entry } of project.reader.entries(OLD_EVENTS + 1, last)) {
    sum.update(`${entry?.seq} `);
    if (entry !== undefined) sum.update(entry.payload);
  }
  const { state } = replay(project, { point: `@${last}` });
  return sum.update(JSON.stringify(state)).digest('hex');
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../../src/journal/erase/events.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { save } from '../../src/timetravel/saves.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { lostPieces } from '../damage/pieces.ts';
import { CANARY, canaries, filesBelow, leakInto, NEEDLES } from '../erasure/leaky.ts';
import { KeptFolder } from '../kept-folder.ts';
import { anEvent, prompt } from '../log/events.ts';
import { decoders, realPorts } from '../ports.ts';
import { countOf, isDropped } from './command-acts.ts';
import { damagedPieces, damageJournal, readable } from './damaged-journal.ts';
import { KilledProgram, type Place } from './killed-program.ts';
import { OLD_EVENTS, RETENTION, recordOldEvents } from './old-events.ts';

const RETENTION_DAYS = Number.parseInt(RETENTION, 10);

/** A project and a command that changes what is there, and how it is seen what a killed one has left. */
export interface Overhaul {
  name: string;
  args: readonly string[];
  scene: OverhaulScene;
  /** Where it comes by. */
  places: readonly Place[];
  /** What must hold in any case, whoever has opened the journal since: violations. */
  soundness: (project: Project) => Iterable<string>;
  isDone: (project: Project) => boolean;
  /** The same as the command, within this process. */
  finish: (project: Project) => void;
}

type Without = Omit<Overhaul, 'places'>;

/** A project of its own, to be put back as it was. */
export class OverhaulScene {
  readonly dir: string;
  readonly root: string;
  readonly program: KilledProgram;
  readonly #kept: KeptFolder;

  /** @param fill makes what is in it */
  constructor(top: string, name: string, fill: (project: Project) => void) {
    this.dir = path.join(top, name);
    this.root = path.join(this.dir, '.ben10');
    mkdirSync(this.dir);
    this.program = new KilledProgram(top, this.dir);
    const project = this.open();
    fill(project);
    project.close();
    this.#kept = new KeptFolder(this.root);
  }

  putBack(): void {
    this.#kept.putBack();
  }

  open(): Project {
    return openProject(this.dir, { lockBudgetMs: 5000, lock: realPorts.lock! });
  }

  /** What a project says that nobody has touched yet. */
  look<T>(at: (project: Project) => T): T {
    this.putBack();
    const project = this.open();
    try {
      return at(project);
    } finally {
      project.close();
    }
  }
}

export const overhaulsIn = (top: string, codecs: Codecs): Overhaul[] =>
  [
    erasure(top, 'erase by pattern', codecs),
    erasure(top, 'erase by seq', codecs),
    repair(top, codecs),
    drop(top, codecs),
  ].map((one) => {
    one.scene.putBack();
    const places = one.scene.program.placesOf({ program: 'ben10', args: one.args });
    return { ...one, places };
  });

/** Of one event; in the journal, in all that is derived from it, and in no other event. */
const TOLD_ONCE = 'Kolibri-im-Nebel-5309';
const ONCE_NEEDLES: typeof NEEDLES = [
  ['plain', Buffer.from(TOLD_ONCE)],
  ['base64', Buffer.from(Buffer.from(TOLD_ONCE).toString('base64').slice(0, 28))],
  ['hex', Buffer.from(Buffer.from(TOLD_ONCE).toString('hex'))],
];

const TOLD = /^(?:prompt|tool|session)\./;

function erasure(top: string, name: 'erase by pattern' | 'erase by seq', codecs: Codecs): Without {
  const isBySeq = name === 'erase by seq';
  let seq = 0;
  const scene = new OverhaulScene(top, name.replaceAll(' ', '-'), (project) => {
    leakInto(project, codecs);
    const [, base64, hex] = ONCE_NEEDLES.map(([, needle]) => String(needle));
    const { seqs } = project.writer.append([prompt(`${TOLD_ONCE} ${base64} ${hex}`)]);
    seq = seqs[0]!;
    save(project, { name: 'behind' });
    takeSnapshot(project, { session: 's1', trigger: 'threshold' });
  });
  const request = isBySeq
    ? ({ by: 'event', seqs: [seq], ranges: [] } as const)
    : ({ by: 'pattern', wanted: parsePattern(CANARY) } as const);
  const needles = isBySeq ? ONCE_NEEDLES : NEEDLES;
  const isDone = (project: Project) => countOf(project, DONE_TYPE) > 0;
  const finish = (project: Project) => void erase(project, request, codecs);
  const untouched = scene.look(storyOf);
  const erased = scene.look((project) => {
    finish(project);
    return storyOf(project);
  });
  return {
    name,
    scene,
    args: isBySeq ? ['erase', `@${seq}`, '--yes'] : ['erase', '--pattern', CANARY, '--yes'],
    isDone,
    finish,
    *soundness(project) {
      const { damage } = verifyJournal(realPorts, project.root, decoders);
      if (damage.length > 0) yield `damage: ${JSON.stringify(damage)}`;
      if (countOf(project, REQUESTED_TYPE) !== countOf(project, DONE_TYPE))
        yield 'it was requested, and not finished by who came next';
      const left = isDone(project) ? canaries(project, needles) : [];
      yield* left.map((where) => `it was erased, and is in ${where}`);
      if (storyOf(project) !== (isDone(project) ? erased : untouched)) yield 'other events changed';
    },
  };
}

/** What was told, without places: what waits in the inbox has none yet. */
const storyOf = ({ reader, ports, writer }: Project): string => {
  writer.drain();
  const told = [...readEvents(reader, ports.xxh64, {})].filter(({ type }) => TOLD.test(type));
  return told.map(({ id, data }) => JSON.stringify([id, data])).join('\n');
};

function repair(top: string, codecs: Codecs): Without {
  const scene = new OverhaulScene(top, 'repair', (project) => damageJournal(project, codecs));
  const [before, pieces] = scene.look(
    (project) => [readable(project), damagedPieces(project)] as const,
  );
  const after = scene.look((project) => {
    repairJournal(realPorts, project.root, decoders);
    return readable(project);
  });
  return {
    name: 'repair',
    scene,
    args: ['repair', '--yes'],
    isDone: ({ root }) => verifyJournal(realPorts, root, decoders).ok,
    finish: ({ root }) => void repairJournal(realPorts, root, decoders),
    *soundness(project) {
      const now = readable(project);
      const { ok } = verifyJournal(realPorts, project.root, decoders);
      for (const one of ok ? after : before)
        if (!now.has(one)) yield `it could be read, and cannot any more: ${one}`;
      const { root } = project;
      yield* lostPieces(
        pieces,
        filesBelow(root).map((file) => readFileSync(file)),
      );
    },
  };
}

function drop(top: string, codecs: Codecs): Without {
  const scene = new OverhaulScene(top, 'drop', (project) => {
    recordOldEvents(project.root);
    const settings = `retention:\n  events: ${RETENTION}\n`;
    writeFileSync(path.join(project.root, 'config.yaml'), settings, { mode: 0o600 });
    const started = { source: 'startup', cwd: project.dir, worktree: project.dir };
    project.writer.append([anEvent('session.started', started, { at: Date.now() })]);
    for (let n = 1; n <= 3; n += 1)
      project.writer.append([prompt(`And now file ${n}.`, { at: Date.now() })]);
    save(project, { name: 'first' });
  });
  const before = scene.look(statesOf);
  return {
    name: 'drop',
    scene,
    args: ['compact'],
    isDone: (project) => isDropped(project, OLD_EVENTS),
    finish: (project) => {
      dropOld(project, RETENTION_DAYS, codecs);
      compactJournal(realPorts, project.root, codecs);
    },
    *soundness(project) {
      const { damage } = verifyJournal(realPorts, project.root, decoders);
      if (damage.length > 0) yield `damage: ${JSON.stringify(damage)}`;
      if (statesOf(project) !== before) yield 'the states from before are others';
    },
  };
}

/** Of the session that is dropped, and of the one that stays. */
const statesOf = ({ states }: Project): string =>
  JSON.stringify(['old', 's1'].map((session) => states.at(context, session).state));

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { DONE_TYPE, REQUESTED_TYPE } from '../../src/journal/erase/events.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { save } from '../../src/timetravel/saves.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { lostPieces } from '../damage/pieces.ts';
import { CANARY, canaries, filesBelow, leakInto, NEEDLES } from '../erasure/leaky.ts';
import { anEvent, prompt } from '../log/events.ts';
import { decoders, realPorts } from '../ports.ts';
import { countOf, isDropped } from './command-acts.ts';
import { damagedPieces, damageJournal, readable } from './damaged-journal.ts';
import type { Target } from './killer.ts';
import { OLD_EVENTS, RETENTION, recordOldEvents } from './old-events.ts';
import { Stage } from './stage.ts';

const RETENTION_DAYS = Number.parseInt(RETENTION, 10);

type Overhaul = Omit<Target, 'command' | 'places'> & { args: readonly string[] };

/** @param fill makes what is in the project */
function staged(top: string, name: string, fill: (project: Project) => void): Stage {
  const stage = new Stage(top, name);
  stage.ask(fill);
  stage.remember();
  return stage;
}

/** The commands that change what is there. */
export const overhaulsIn = (top: string, codecs: Codecs): Target[] =>
  [
    erasure(top, 'erase by pattern', codecs),
    erasure(top, 'erase by seq', codecs),
    repair(top, codecs),
    drop(top, codecs),
  ].map(({ args, ...one }) => {
    one.stage.putBack();
    const command = { program: 'ben10', args } as const;
    return { ...one, command, places: one.stage.program.placesOf(command) };
  });

/** Of one event; in the journal, in all that is derived from it, and in no other event. */
const TOLD_ONCE = 'Kolibri-im-Nebel-5309';
const ONCE_NEEDLES: typeof NEEDLES = [
  ['plain', Buffer.from(TOLD_ONCE)],
  ['base64', Buffer.from(Buffer.from(TOLD_ONCE).toString('base64').slice(0, 28))],
  ['hex', Buffer.from(Buffer.from(TOLD_ONCE).toString('hex'))],
];

const TOLD = /^(?:prompt|tool|session)\./;

function erasure(top: string, name: 'erase by pattern' | 'erase by seq', codecs: Codecs): Overhaul {
  const isBySeq = name === 'erase by seq';
  let seq = 0;
  const stage = staged(top, name.replaceAll(' ', '-'), (project) => {
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
  const untouched = stage.look(storyOf);
  const erased = stage.look((project) => {
    finish(project);
    return storyOf(project);
  });
  return {
    name,
    stage,
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

function repair(top: string, codecs: Codecs): Overhaul {
  const stage = staged(top, 'repair', (project) => damageJournal(project, codecs));
  const [before, pieces] = stage.look(
    (project) => [readable(project), damagedPieces(project)] as const,
  );
  const after = stage.look((project) => {
    repairJournal(realPorts, project.root, decoders);
    return readable(project);
  });
  return {
    name: 'repair',
    stage,
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

function drop(top: string, codecs: Codecs): Overhaul {
  const stage = staged(top, 'drop', (project) => {
    recordOldEvents(project.root);
    const settings = `retention:\n  events: ${RETENTION}\n`;
    writeFileSync(path.join(project.root, 'config.yaml'), settings, { mode: 0o600 });
    const started = { source: 'startup', cwd: project.dir, worktree: project.dir };
    project.writer.append([anEvent('session.started', started, { at: Date.now() })]);
    for (let n = 1; n <= 3; n += 1)
      project.writer.append([prompt(`And now file ${n}.`, { at: Date.now() })]);
    save(project, { name: 'first' });
  });
  const before = stage.look(statesOf);
  return {
    name: 'drop',
    stage,
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

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BLOCK, CONTAINER_HEADER_BYTES, METHOD } from '../../src/journal/format/format.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { preferences } from '../../src/timetravel/preferences.ts';
import { listSaves } from '../../src/timetravel/saves.ts';
import { listSnapshots, snapshotIndex } from '../../src/timetravel/snapshots/indexed.ts';
import type { CommandScene } from './command-scene.ts';
import type { Command } from './killed-program.ts';
import { OLD_EVENTS } from './old-events.ts';

/** Something that a user, a client or an idle server does, and how it is seen that it was done. */
export interface Act {
  name: string;
  command: Command;
  isDone: (project: Project) => boolean;
}

export function actsOf(scene: CommandScene): Act[] {
  const { snapshot, preference, dir } = scene;
  const ben10 = (...args: string[]): Command => ({ program: 'ben10', args });
  const older = (project: Project) => snapshotIndex(project).snapshots[snapshot];
  const told = (type: string) => (project: Project) => countOf(project, type) > 0;
  return [
    {
      name: 'save',
      command: ben10('save', 'second'),
      isDone: (project) =>
        listSaves(project).some(({ name, bytes }) => name === 'second' && bytes > 0),
    },
    { name: 'restore', command: ben10('restore', '@save:first'), isDone: told('context.restored') },
    { name: 'clear', command: ben10('clear', '--yes'), isDone: told('context.cleared') },
    { name: 'merge', command: ben10('merge', 'disk'), isDone: told('context.merged') },
    { name: 'checkpoint', command: ben10('checkpoint'), isDone: told('checkpoint.created') },
    {
      name: 'a snapshot before a compaction',
      command: scene.hook('PreCompact', { trigger: 'manual' }),
      isDone: (project) => countOf(project, 'snapshot.created') === 3,
    },
    {
      name: 'its completion',
      command: scene.hook('PostCompact', { trigger: 'auto', compact_summary: 'We went on.' }),
      isDone: (project) => countOf(project, 'snapshot.completed') === 2,
    },
    {
      name: 'snapshot pin',
      command: ben10('snapshot', 'pin', snapshot),
      isDone: (project) => older(project)?.pinned === true,
    },
    {
      name: 'snapshot tag',
      command: ben10('snapshot', 'tag', snapshot, 'kept'),
      isDone: (project) => older(project)?.tags.includes('kept') === true,
    },
    {
      name: 'snapshot delete',
      command: ben10('snapshot', 'delete', snapshot),
      isDone: (project) => older(project) === undefined,
    },
    {
      name: 'compact, which prunes, drops and packs',
      command: ben10('compact'),
      isDone: (project) =>
        older(project) === undefined && isDropped(project, OLD_EVENTS) && isPacked(project),
    },
    {
      name: 'preferences retract',
      command: ben10('preferences', 'retract', preference),
      isDone: (project) => preferences(project).every(({ key }) => key !== preference),
    },
    {
      name: 'packing while a server is idle',
      command: { program: 'mcp', args: ['job', 'archive', dir] },
      isDone: isPacked,
    },
    {
      name: 'config set',
      command: ben10('config', 'set', 'context.autoRestore', 'false'),
      isDone: ({ root }) =>
        /^ {2}autoRestore: false$/m.test(readFileSync(path.join(root, 'config.yaml'), 'utf8')),
    },
    { name: 'current.ctx', command: scene.hook('Stop'), isDone: isCurrent },
  ];
}

export const countOf = (project: Project, type: string): number =>
  [...readEvents(project.reader, project.ports.xxh64, { types: [type] })].length;

/** Whether the old events are gone, all of them, and their state is there. */
export function isDropped({ ports, layout, states }: Project, upto: number): boolean {
  const isFinished = readManifest(ports, layout)?.dropping === undefined;
  if (states.dropped()?.upto !== upto || !isFinished) return false;
  return states.at(context, 'old').state.conversation.messageCount === upto;
}

/** Whether all that is stored of saves and snapshots has been packed small. */
function isPacked(project: Project): boolean {
  const named = listSnapshots(project).snapshots.map(({ file }) => file);
  const saves = 'checkpoints/saves';
  const files = [
    ...named,
    ...readdirSync(path.join(project.root, saves)).map((one) => `${saves}/${one}`),
  ];
  return files
    .filter((file) => file.endsWith('.ctx'))
    .every((file) => {
      const bytes = readFileSync(path.join(project.root, file));
      return bytes[CONTAINER_HEADER_BYTES + BLOCK.method] === METHOD.zstd;
    });
}

/** Whether `current.ctx` is the newest state, and its meta is about it. */
function isCurrent(project: Project): boolean {
  const read = (name: string) => readFileSync(path.join(project.root, name));
  const meta = JSON.parse(read('current.ctx.meta').toString());
  const isWhole = meta.sha256 === hash('sha256', read('current.ctx'), 'hex');
  const turns = [...readEvents(project.reader, project.ports.xxh64, { types: ['turn.ended'] })];
  return isWhole && turns.length >= 2 && meta.seq >= turns.at(-1)!.seq;
}

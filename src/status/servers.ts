import { refuseUnsafe, refuseUnsafeLayout } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { ensureDir, readdirIfThere, removeIfThere } from '../platform/files.ts';
import { ok } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import type { Project } from '../project/open.ts';

type Place = Pick<Project, 'ports' | 'root' | 'layout'>;

const folderOf = ({ root }: Place): string => `${root}/servers`;
/** Process id, and erasure epoch at the server's start. */
const NOTE = /^(\d{1,10})\.(\d{1,10})$/;

/** An empty file `PID.EPOCH` for a running MCP server, whose freed memory may hold text that was erased since its start. */
export class ServerNote {
  readonly #pid: number;
  #epoch: number | undefined;
  #last: Place | undefined;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Writes it once there is a journal, and again if the folder was removed or moved. */
  keep(project: Place): void {
    const { fs } = project.ports;
    refuseUnsafeLayout(fs, project.layout);
    this.#epoch ??= epochOf(project);
    if (fs.statIfThere(project.layout.manifest) === undefined) return;
    const dir = folderOf(project);
    const path = `${dir}/${this.#pid}.${this.#epoch}`;
    this.#last = project;
    if (fs.statIfThere(path) !== undefined) return;
    if (refuseUnsafe(fs, dir) === undefined) ensureDir(fs, dir, { durable: false });
    for (const { name, pid } of notesIn(project))
      if (pid === this.#pid || !isAlive(pid)) removeIfThere(fs, `${dir}/${name}`);
    fs.close(fs.open(path, 'wx'));
  }

  remove(): void {
    if (this.#last === undefined) return;
    removeIfThere(this.#last.ports.fs, `${folderOf(this.#last)}/${this.#pid}.${this.#epoch}`);
  }
}

/** Process ids of servers that were started before the last erasure. */
export function serversBeforeErasure(project: Place): number[] {
  const notes = notesIn(project);
  if (notes.length === 0) return [];
  const now = epochOf(project);
  return notes.filter(({ pid, epoch }) => epoch < now && isAlive(pid)).map(({ pid }) => pid);
}

/** How many MCP servers run for the project: one for each running client. */
export const runningServers = (project: Place): number =>
  notesIn(project).filter(({ pid }) => isAlive(pid)).length;

/** Whether the server runs, for people: a hint, because without it all but the model's tools works. */
export const serverText = (running: number): string =>
  running > 0 ? 'running' : 'not running, for tools only: start claude, or /mcp in it';

export const serverCheck: Check = {
  name: 'connection',
  isInside: true,
  run: ({ project }) => [ok('connection', `MCP server ${serverText(runningServers(project))}`)],
};

function notesIn(project: Place): { name: string; pid: number; epoch: number }[] {
  return readdirIfThere(project.ports.fs, folderOf(project)).flatMap((name) => {
    const [, pid, epoch] = NOTE.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), epoch: Number(epoch) }];
  });
}

const epochOf = ({ ports, layout }: Place): number =>
  readManifest(ports, layout)?.erasureEpoch ?? 0;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { isOutside } from '../../platform/inside.ts';
import type { Server } from '../context.ts';
import { type Around, COLLECTOR_MS, type Collector } from './collector.ts';

const PROGRAM_CHARS = 40;
/** Processes that are examined: a machine has some hundreds. */
const PROCESSES_MAX = 5000;
/** Linux: the state of a listening socket. */
const LISTENS = '0A';

interface Listening extends Server {
  /** Where its process was started. */
  cwd: string;
}

/** The project's dev servers: processes that were started in it and listen on a port. */
export const servers: Collector<Server> = {
  timeoutMs: COLLECTOR_MS,
  async collect(around) {
    const all = process.platform === 'linux' ? fromProc() : await fromLsof(around);
    const dir = realpathSync(around.dir);
    const own = all
      ?.filter(({ cwd }) => !isOutside(dir, cwd))
      .map(({ port, program }) => {
        return { port, program: around.clean(program, PROGRAM_CHARS) };
      });
    const byPort = new Map(own?.map((one) => [one.port, one]));
    return all && [...byPort.values()].sort((a, b) => a.port - b.port);
  },
};

/** Linux: files tell which sockets listen, and which process holds them. */
function fromProc(): Listening[] {
  const ports = new Map<string, number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const [inode, port] of listening(textOf(table))) ports.set(inode, port);
  if (ports.size === 0) return [];
  const found: Listening[] = [];
  const ids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .slice(0, PROCESSES_MAX);
  for (const id of ids) {
    if (Number(id) === process.pid) continue;
    const held = new Set(socketsOf(id).flatMap((inode) => ports.get(inode) ?? []));
    if (held.size === 0) continue;
    const cwd = linkOf(`/proc/${id}/cwd`);
    if (cwd === undefined) continue;
    const program = textOf(`/proc/${id}/comm`).trim();
    for (const port of held) found.push({ port, program, cwd });
  }
  return found;
}

/** Inode and port of each listening socket in a table of /proc/net. */
export function listening(table: string): [inode: string, port: number][] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line): [string, number][] => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state !== LISTENS) return [];
      return [[inode, Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16)]];
    });
}

/** Another user's process is not readable. */
function socketsOf(id: string): string[] {
  try {
    return readdirSync(`/proc/${id}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${id}/fd/${fd}`) ?? '') ?? [];
      return inode ?? [];
    });
  } catch {
    return [];
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Elsewhere (macOS) `lsof` is asked twice; undefined if it is missing or fails. */
export async function fromLsof({
  run,
  dir,
}: Pick<Around, 'run' | 'dir'>): Promise<Listening[] | undefined> {
  const text = await run('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fpcn'], dir);
  if (text === undefined) return undefined;
  const found = parseLsof(text);
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ pid }) => pid))].join(',');
  const folders = await run('lsof', ['-a', '-d', 'cwd', '-p', ids, '-Fpcn'], dir);
  if (folders === undefined) return undefined;
  const cwds = new Map(parseLsof(folders).map((one) => [one.pid, one.name]));
  return found.flatMap(({ pid, program, name }) => {
    const port = Number(/:(\d+)$/.exec(name)?.[1]);
    const cwd = cwds.get(pid);
    return cwd === undefined || !(port > 0) ? [] : [{ port, program, cwd }];
  });
}

/** Reads `lsof -Fpcn`: one field a line; `p` begins a process, `c` is its program, `n` the name of a file. */
export function parseLsof(text: string): { pid: string; program: string; name: string }[] {
  const found: { pid: string; program: string; name: string }[] = [];
  let pid = '';
  let program = '';
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line[0] === 'p') pid = value;
    else if (line[0] === 'c') program = value;
    else if (line[0] === 'n') found.push({ pid, program, name: value });
  }
  return found;
}

import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { captureCommand } from '../../src/packs/capture.ts';
import { addSources, artifactIn, createPack } from '../../src/packs/change.ts';
import { packsAt, packsOf, renderOf } from '../../src/packs/of-project.ts';
import { keptOf } from '../../src/packs/output-ends.ts';
import { Ends } from '../../src/platform/programs/ends.ts';
import { isThere } from '../../src/platform/programs/run.ts';
import { shellOf } from '../../src/platform/programs/shell.ts';
import type { Project } from '../../src/project/open.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { scratch } from '../support.ts';
import { projectWith } from './kept/support.ts';
import { contentsOf, reasonsOf, textOf } from './support.ts';

const ENV = { PATH: process.env.PATH };
const FOREVER = new AbortController().signal;

/** A project whose pack `auth` has these commands. */
async function projectOf(...commands: string[]): Promise<Project> {
  const project = projectWith({ 'src/a.txt': 'a\n' });
  createPack(project, 'auth', { budgetTokens: null }, 'cli');
  const sources = commands.map((one) => `cmd:${one}`);
  if (sources.length > 0) await addSources(project, 'auth', sources, {}, 'cli');
  return project;
}

interface Run {
  cwd?: string;
  timeoutS?: number;
  signal?: AbortSignal;
}

async function run(project: Project, command: string, { cwd, ...how }: Run = {}) {
  const options = cwd === undefined ? {} : { cwd };
  await addSources(project, 'auth', [`cmd:${command}`], { options }, 'cli');
  const { artifacts } = packsAt(project).packs.auth!;
  const artifact = artifacts.find(
    (one) => one.source === `cmd:${command}` && one.options.cwd === cwd,
  );
  return captureCommand(project, 'auth', artifact!, {
    ...{ timeoutS: 60, signal: FOREVER, env: ENV },
    ...how,
  });
}

/** Runs it in a project of its own. @returns what is kept of it, and what stands in a payload */
async function printed(command: string, how: Run = {}) {
  const project = await projectOf();
  const captured = await run(project, command, how);
  const rendered = await renderOf(project, { packs: packsOf(project, ['auth']) });
  return { ...captured, output: Object.values(contentsOf(rendered))[0], text: textOf(rendered) };
}

describe('a command of a pack', () => {
  it('has its output, exit code and folder in the payload, and neither date nor time', async () => {
    const { output, text, exit, lines } = await printed('echo out; echo err >&2; exit 3');
    expect(output).toBe('out\nerr\n');
    expect({ exit, lines }).toEqual({ exit: 3, lines: 2 });
    expect(text).toContain(
      '<ben10-item cmd="echo out; echo err >&amp;2; exit 3" cwd="." exit="3">\n',
    );
    const inside = await printed('pwd', { cwd: 'src' });
    expect(inside.output).toMatch(/\/src\n$/);
    expect(inside.text).toContain('cwd="src" exit="0"');
  });

  it('is not run by a render, a preview or a second look: it counts its runs', async () => {
    const counter = path.join(scratch(), 'runs');
    const project = await projectOf(`echo x >> ${counter}; cat ${counter}`);
    const look = () => renderOf(project, { packs: packsOf(project, ['auth']) });
    const before = await look();
    expect(reasonsOf(before)).toEqual({ [`echo x >> ${counter}; cat ${counter}`]: 'not_captured' });
    expect(existsSync(counter)).toBe(false);
    await run(project, `echo x >> ${counter}; cat ${counter}`);
    const first = await look();
    expect((await look()).renderHash).toBe(first.renderHash);
    expect(Object.values(contentsOf(first))).toEqual(['x\n']);
    expect(readFileSync(counter, 'utf8')).toBe('x\n');
    await run(project, `echo x >> ${counter}; cat ${counter}`);
    expect(Object.values(contentsOf(await look()))).toEqual(['x\nx\n']);
    // As of a point, what it had printed by then.
    const { seq } = packsAt(project).packs.auth!.artifacts[0]!.capture!;
    const at = resolvePoint(project, `@${seq - 1}`);
    const then = await renderOf(project, { packs: packsOf(project, ['auth'], at), at });
    expect(Object.values(contentsOf(then))).toEqual(['x\n']);
  });

  it('prints in one order to both of its outputs', async () => {
    const script = 'for i in $(seq 200); do echo "o$i"; echo "e$i" >&2; done';
    const wanted = Array.from({ length: 200 }, (_, at) => `o${at + 1}\ne${at + 1}\n`).join('');
    expect((await printed(script)).output).toBe(wanted);
  });

  it('has no input and no terminal, and a wrong command says what the shell says', async () => {
    expect((await printed('cat; echo done')).output).toBe('done\n');
    expect((await printed('(: < /dev/tty) 2>/dev/null || echo none')).output).toBe('none\n');
    const wrong = await printed('if (');
    expect(wrong.exit).not.toBe(0);
    expect(wrong.output).toMatch(/yntax error/);
    expect((await printed('no-such-program-here')).exit).toBe(127);
  });

  it('is ended at the time limit, with all that it started', async () => {
    const pids = path.join(scratch(), 'pids');
    const { exit, signal, output, text, ms } = await printed(
      `echo begun; sleep 600 & echo $! > ${pids}; trap '' TERM INT HUP; sleep 600`,
      { timeoutS: 1 },
    );
    expect({ exit, signal, output }).toEqual({ exit: null, signal: undefined, output: 'begun\n' });
    expect(text).toContain(' exit="timeout">\n');
    expect(ms).toBeGreaterThanOrEqual(1000);
    await expect.poll(() => isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false);
  });

  it('leaves nothing behind that holds it up', async () => {
    const pids = path.join(scratch(), 'pids');
    const { exit, output, ms } = await printed(`sleep 600 & echo $! > ${pids}; echo done`);
    expect({ exit, output }).toEqual({ exit: 0, output: 'done\n' });
    expect(ms).toBeLessThan(300_000);
    await expect.poll(() => isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false);
  });

  it.runIf(process.platform === 'linux' && isThere('setsid', process.env))(
    'is over with what left its group',
    async () => {
      const pids = path.join(scratch(), 'pids');
      const away = `echo $$ > ${pids}.new; mv ${pids}.new ${pids}; sleep 600`;
      const { output } = await printed(
        `setsid sh -c '${away}' & while [ ! -e ${pids} ]; do sleep 0.05; done; echo done`,
      );
      expect(output).toBe('done\n');
      await expect.poll(() => isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false);
    },
  );

  it('that kills itself has the signal in place of a code', async () => {
    const { exit, signal, text } = await printed('echo so far; kill -SEGV $$');
    expect({ exit, signal }).toEqual({ exit: null, signal: 'SIGSEGV' });
    expect(text).toContain(' exit="SIGSEGV">\nso far\n');
  });

  it('is kept not at all when it is interrupted', async () => {
    const project = await projectOf();
    const over = new AbortController();
    const started = path.join(scratch(), 'started');
    const done = run(project, `touch ${started}; sleep 600`, { signal: over.signal });
    await expect.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
    over.abort();
    await expect(done).rejects.toMatchObject({ code: 'USAGE' });
    expect(
      artifactIn(packsAt(project), 'auth', `cmd:touch ${started}; sleep 600`).capture,
    ).toBeUndefined();
  });

  it('is run inside of the project only', async () => {
    const project = await projectOf();
    symlinkSync('/', path.join(project.dir, 'away'));
    await expect(run(project, 'pwd', { cwd: 'away' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run(project, 'pwd', { cwd: '..' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run(project, 'pwd', { cwd: 'nowhere' })).rejects.toMatchObject({ code: 'ENOENT' });
    mkdirSync(path.join(project.dir, 'deep/er'), { recursive: true });
    symlinkSync('deep/er', path.join(project.dir, 'in'));
    expect(await run(project, 'pwd', { cwd: 'in' })).toMatchObject({ exit: 0 });
  });
});

describe('a long output', () => {
  it('of 100 MB is kept in its first and last lines, with a line that says how much is gone', async () => {
    const {
      bytes,
      cut,
      output = '',
    } = await printed('yes "$(printf %099d 7)" | head -n 1048576; echo the end');
    expect(bytes).toBe(104_857_600 + 'the end\n'.length);
    const lines = output.split('\n');
    const told = lines.findIndex((line) => line.startsWith('['));
    expect(lines[told]).toBe(`[${cut.toLocaleString('en-US')} bytes are left out here]`);
    expect(Buffer.byteLength(output) - lines[told]!.length - 1 + cut).toBe(bytes);
    const head = lines.slice(0, told).join('\n').length + 1;
    expect(head).toBeGreaterThan(64 * 1024 - 101);
    expect(head).toBeLessThanOrEqual(64 * 1024);
    expect(lines.slice(told + 1, -2).every((line) => line.length === 99)).toBe(true);
    expect(lines.at(-2)).toBe('the end');
  });

  const ends = (text: Buffer | string, pieces = 1000): Ends => {
    const all = new Ends(128 * 1024, 256 * 1024);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieces) all.add(bytes.subarray(at, at + pieces));
    return all;
  };
  const redaction = compileRedaction().options;
  const LIMITS = { first: 64 * 1024, last: 192 * 1024 };

  it.each([1, 262_143, 262_144, 262_145, 393_216, 393_217, 1_000_000, 3_000_000])(
    'of %i bytes is its beginning and its end, in whatever pieces it comes',
    (size) => {
      const text = `${Array.from({ length: size / 10 + 1 }, (_, at) => `${at}`.padStart(9, '.'))
        .join('\n')
        .slice(0, size - 1)}\n`;
      for (const pieces of [997, 65_536, 700_000]) {
        const { output, cut } = keptOf(ends(text, pieces), redaction, LIMITS);
        const told = `[${cut.toLocaleString('en-US')} bytes are left out here]\n`;
        const [head = '', tail = ''] = cut === 0 ? [output] : output.split(told);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length + cut).toBe(size);
        expect(cut === 0).toBe(size <= 262_144);
      }
    },
  );

  it('of one line is cut between characters', () => {
    const { output, cut } = keptOf(ends('é€😀'.repeat(100_000)), redaction, LIMITS);
    expect(output).not.toContain('\ufffd');
    expect(output).toMatch(/^é[^\n]*\n\[[\d,]+ bytes are left out here\]\n[^\n]*😀\n$/u);
    expect(900_000 - cut).toBeGreaterThan(262_144 - 10);
  });

  it('has no part of a secret that goes over a cut', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8c\n'.repeat(200)}-----END PRIVATE KEY-----\n`;
    const filler = (bytes: number): string => 'nothing to see\n'.repeat(bytes / 15);
    const text = `${filler(60_000)}${key}${filler(400_000)}${key}${filler(190_000)}`;
    const { output, secrets } = keptOf(ends(text), redaction, LIMITS);
    expect(output).not.toContain('MIIEvQ');
    expect(output).not.toContain('PRIVATE KEY-----');
    expect(secrets).toBe(2);
  });
});

describe('what is stored of an output', () => {
  it('has no secret, no escape and no frame of ours in it', async () => {
    const token = `ghp_${'aB3dE6gH9k'.repeat(4).slice(0, 36)}`;
    const { output, text, secrets } = await printed(
      `printf '\\033[31mtoken %s\\033[0m </ben10-item>\\0\\n' ghp_$(printf aB3dE6gH9k%.0s 1 2 3 4 | cut -c1-36)`,
    );
    expect(output).toBe('token [REDACTED:GITHUB-TOKEN] ‹/ben10-item>\n');
    expect(text).not.toContain(token);
    expect(secrets).toBe(1);
  });

  it('is a blob when it is long, and is there again', async () => {
    const { output } = await printed('seq 40000');
    expect(output).toBe(Array.from({ length: 40_000 }, (_, at) => `${at + 1}\n`).join(''));
  });
});

describe('the shell', () => {
  it('is cmd on Windows, as Node starts it, and both outputs are one pipe elsewhere', () => {
    expect(shellOf('npm test & echo "x y"', 'win32')).toEqual({
      file: process.env.ComSpec ?? 'cmd.exe',
      args: ['/d', '/s', '/c', '"npm test & echo "x y""'],
      windowsVerbatimArguments: true,
    });
    expect(shellOf('a', 'linux').args.at(-1)).toBe('a');
  });
});

/** One that was killed may not be buried yet. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !readFileSync(stat, 'utf8').includes(') Z ');
}

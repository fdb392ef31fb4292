import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  groupFor,
  handlerFor,
  recogniseHandler,
  startedProgram,
} from '../../src/setup/hook-entry.ts';
import { HOOKS } from '../../src/setup/hooks-table.ts';
import { scratch } from '../support.ts';

const portable = { command: 'ben10' } as const;
const row = (event: string) => HOOKS.find((each) => each.event === event)!;

/** Each name filled from the path of the same name. */
const filled = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, `$\{${name}}`]));

describe('an entry that is written', () => {
  it('is a command by default that does nothing where ben10 is missing', () => {
    const command =
      "eval 'command -v ben10 >/dev/null && exec ben10 hook stop; exit 0'; ben10 hook stop; exit 0";
    expect(groupFor(row('Stop'), handlerFor(row('Stop'), 'mcp', portable))).toEqual({
      hooks: [{ type: 'command', command, timeout: 5 }],
    });
  });

  it("calls the server for a tool call, with flat paths of the hook's input", () => {
    const handler = handlerFor(row('PostToolUse'), 'mcp', portable);
    expect(groupFor(row('PostToolUse'), handler)).toEqual({
      matcher: '*',
      hooks: [
        {
          type: 'mcp_tool',
          server: 'ben10',
          tool: 'ben10_record',
          input: {
            hook_event_name: 'PostToolUse',
            ...filled('session_id', 'transcript_path', 'cwd', 'prompt_id', 'permission_mode'),
            ...filled('agent_id', 'agent_type', 'tool_name', 'tool_input', 'tool_use_id'),
            ...filled('tool_response', 'duration_ms'),
          },
          timeout: 2,
        },
      ],
    });
  });

  it('is a command for every event with the command carrier, in the background for calls', () => {
    for (const each of HOOKS) {
      const isCall = each.carrier === 'mcp';
      expect(handlerFor(each, 'command', portable)).toMatchObject({
        type: 'command',
        command: expect.stringContaining(`exec ben10 hook ${each.name};`),
        timeout: isCall ? 10 : each.timeout,
      });
      expect('async' in handlerFor(each, 'command', portable)).toBe(isCall);
    }
  });

  it('names absolute paths for one machine, and is silent when that copy is gone', () => {
    const command = (node: string, script: string) =>
      handlerFor(row('Stop'), 'mcp', { node, script }, 'linux');
    expect(command('/usr/bin/node', '/opt/ben10.cjs')).toEqual({
      type: 'command',
      command:
        '[ -f /opt/ben10.cjs ] || exit 0; exec /usr/bin/node /opt/ben10.cjs hook stop --local',
      timeout: 5,
    });
    expect(command('/my node', "/it's/ben10.cjs")).toMatchObject({
      command: expect.stringContaining("exec '/my node' '/it'\\''s/ben10.cjs' hook stop"),
    });
  });

  it('needs no shell on Windows', () => {
    const binary = { node: 'C:\\Program Files\\node.exe', script: 'C:\\x\\ben10.cjs' };
    expect(handlerFor(row('Stop'), 'mcp', binary, 'win32')).toEqual({
      type: 'command',
      command: 'C:\\Program Files\\node.exe',
      args: ['C:\\x\\ben10.cjs', 'hook', 'stop', '--local'],
      timeout: 5,
    });
  });

  it.runIf(process.platform !== 'win32')(
    'reaches the program as the same words through sh',
    { tags: 'long' },
    () => {
      const dir = scratch();
      const name = fc
        .string({ minLength: 1, maxLength: 40, unit: 'binary' })
        .filter((text) => !/[\0/]/.test(text) && !/^\.{1,2}$/.test(text));
      fc.assert(
        fc.property(name, (file) => {
          fc.pre(Buffer.from(file).toString() === file && Buffer.byteLength(file) < 250);
          const script = path.join(dir, file);
          const handler = () =>
            handlerFor(row('Stop'), 'command', { node: 'printf', script }, 'linux');
          const { command } = handler() as { command: string };
          const sh = () => execFileSync('sh', ['-c', command.replace('exec printf', `$& '%s\\n'`)]);
          expect(String(sh())).toBe('');
          writeFileSync(script, '');
          expect(String(sh())).toBe(`${script}\nhook\nstop\n--local\n`);
          rmSync(script);
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe.runIf(process.platform !== 'win32')('a guarded command', () => {
  const { command } = handlerFor(row('Stop'), 'command', portable) as { command: string };
  const shells = ['sh', 'bash', 'zsh', 'dash', 'busybox'].filter(
    (shell) => spawnSync(shell, shell === 'busybox' ? ['true'] : ['-c', ':']).status === 0,
  );
  const run = (shell: string, PATH: string) => {
    const args = shell === 'busybox' ? ['sh', '-c', command] : ['-c', command];
    const where = spawnSync('sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' });
    const { status, stdout, stderr } = spawnSync(where.stdout.trim(), args, {
      env: { PATH },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { status, stdout, stderr };
  };

  it('prints nothing and succeeds in every shell where ben10 is not installed', () => {
    expect(shells).toContain('sh');
    for (const shell of shells)
      expect(run(shell, '/nowhere'), shell).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('starts ben10 once, whose output and exit code are its own', () => {
    const bin = scratch();
    const program = '#!/bin/sh\necho "$@"; echo said >&2; exit 3\n';
    writeFileSync(path.join(bin, 'ben10'), program, { mode: 0o755 });
    for (const shell of shells)
      expect(run(shell, bin), shell).toEqual({
        status: 3,
        stdout: 'hook stop\n',
        stderr: 'said\n',
      });
  });

  it('is one statement for PowerShell 5, which knows neither eval nor chains, and then the command', () => {
    const [, evaluated, rest] = /^eval ('[^']*'); (.*)$/.exec(command)!;
    expect(evaluated).not.toContain('"');
    expect(rest).toBe('ben10 hook stop; exit 0');
  });
});

describe('an entry that is there', () => {
  const command = (text: unknown, args?: unknown) =>
    recogniseHandler({ type: 'command', command: text, ...(args === undefined ? {} : { args }) });

  it.each([
    ['ben10 hook stop', 'ben10', 'stop'],
    ['  ben10   hook  pre-compact 2>/dev/null || true', 'ben10', 'pre-compact'],
    ['/usr/local/bin/ben10 hook Stop', '/usr/local/bin/ben10', 'Stop'],
    ['/usr/bin/node /opt/b/dist/ben10.cjs hook stop', '/opt/b/dist/ben10.cjs', 'stop'],
    ['"/a b/node" "/c d/ben10.cjs" hook stop', '/c d/ben10.cjs', 'stop'],
    ["'/a b/node' '/it'\\''s/ben10.cjs' hook stop", "/it's/ben10.cjs", 'stop'],
    ['node --no-warnings /opt/ben10.cjs hook stop', '/opt/ben10.cjs', 'stop'],
    ['/opt/nodejs20 /opt/ben10.cjs hook stop', '/opt/ben10.cjs', 'stop'],
    ['/opt/ben10.cjs hook stop', '/opt/ben10.cjs', 'stop'],
    ['BEN10_LOG_LEVEL=debug ben10 hook stop', 'ben10', 'stop'],
    ['npx -y ben10 hook stop', 'ben10', 'stop'],
    ['cmd /c ben10 hook stop', 'ben10', 'stop'],
    ['& "C:\\n\\node.exe" "C:\\b\\BEN10.CJS" hook stop', 'C:\\b\\BEN10.CJS', 'stop'],
    ['ben10.cmd hook stop', 'ben10.cmd', 'stop'],
    ['ben10 hook', 'ben10', ''],
    [
      '[ -f /o/ben10.cjs ] || exit 0; exec node /o/ben10.cjs hook stop --local',
      '/o/ben10.cjs',
      'stop',
    ],
    [
      "eval 'command -v ben10 >/dev/null && exec ben10 hook stop; exit 0'; ben10 hook stop; exit 0",
      'ben10',
      'stop',
    ],
  ])('is recognised by its command: %s', (text, program, name) => {
    expect(command(text)).toMatchObject({ carrier: 'command', program, name });
  });

  it('is recognised in the form without a shell', () => {
    expect(command('/usr/bin/node', ['/a b/ben10.cjs', 'hook', 'stop'])).toEqual({
      carrier: 'command',
      program: '/a b/ben10.cjs',
      name: 'stop',
    });
    expect(command('ben10', ['serve'])).toBeUndefined();
  });

  it('is recognised by its server and tool', () => {
    const tool = { type: 'mcp_tool', server: 'ben10', tool: 'ben10_record' };
    expect(recogniseHandler(tool)).toEqual({ carrier: 'mcp' });
    expect(recogniseHandler({ ...tool, tool: 'ben10_save' })).toBeUndefined();
    expect(recogniseHandler({ ...tool, server: 'other' })).toBeUndefined();
  });

  it.each([
    'ben10 serve',
    "eval 'rm x'; notify-send done; exit 0",
    '[ -f x ] || exit 0; exec make',
    'my-ben10 hook stop',
    'ben10x hook stop',
    'cd /x && ben10 hook stop',
    'time nice node /x/ben10.cjs hook stop',
    'echo ben10 hook stop',
    "echo 'ben10 hook stop'",
    'sh -c "ben10 hook stop"',
    'ben10-hook stop',
    'hook ben10',
    '',
    "it's",
    '\\',
  ])("is its author's when it does more or other: %s", (text) => {
    expect(command(text)).toBeUndefined();
  });

  it('may be of any shape', () => {
    for (const odd of [
      null,
      1,
      'ben10 hook stop',
      [],
      {},
      { type: 'command' },
      { type: 'prompt' },
    ]) {
      expect(recogniseHandler(odd)).toBeUndefined();
    }
    expect(command(5)).toBeUndefined();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(recogniseHandler(value)).toBeUndefined();
      }),
    );
  });

  it('is always recognised when we wrote it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HOOKS),
        fc.constantFrom('mcp' as const, 'command' as const),
        fc.constantFrom('linux' as const, 'win32' as const),
        fc.string({ minLength: 1 }).filter((text) => !/[\\]/.test(text)),
        (each, carrier, platform, folder) => {
          const binary = { node: '/x/node', script: `/${folder}/ben10.cjs` };
          for (const from of [portable, binary]) {
            expect(recogniseHandler(handlerFor(each, carrier, from, platform))).toBeDefined();
          }
        },
      ),
    );
  });
});

describe('the program that a command line starts', () => {
  it('is found by its subcommand, with what follows', () => {
    expect(startedProgram(['node', '/x/ben10.cjs', 'serve', '--profile', 'all'], 'serve')).toEqual({
      program: '/x/ben10.cjs',
      rest: ['--profile', 'all'],
    });
    expect(startedProgram(['ben10', 'serve'], 'hook')).toBeUndefined();
    expect(startedProgram([], 'serve')).toBeUndefined();
  });
});

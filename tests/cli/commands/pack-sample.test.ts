import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { folder } from '../../support.ts';
import { cleanEnv, PROGRAM } from '../support.ts';

const README = path.join(import.meta.dirname, '../../../README.md');

const FILES = {
  'src/auth/session.ts': [
    "import { rotate } from './tokens.ts';",
    '',
    'const MINUTES = 15;',
    '',
    'export interface Session {',
    '  user: string;',
    '  expires: number;',
    '  refresh: string;',
    '}',
    '',
    '/** Ends when nothing was asked for in a while. */',
    'export function open(user: string, now: number): Session {',
    '  return { user, expires: now + MINUTES * 60_000, refresh: rotate() };',
    '}',
    '',
  ].join('\n'),
  'src/auth/tokens.ts': [
    "import { randomBytes } from 'node:crypto';",
    '',
    `const TOKEN = 'ghp_${'a1B2'.repeat(9)}';`,
    'export const rotate = (): string => TOKEN + randomBytes(32).toString("hex");',
    '',
  ].join('\n'),
  'docs/auth.md': '# Signing in\n\nA session lasts 15 minutes. Each refresh token works once.\n',
  'docs/log.md': `# What happened\n${'- another line that nobody reads any more\n'.repeat(60)}`,
};

/** Where `ben10` is a command, as it is once it is installed. */
function installed(): (command: string) => string {
  const dir = folder(FILES);
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  const bin = folder({});
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(path.join(bin, 'ben10'), script, { mode: 0o755 });
  const env = { ...cleanEnv(dir), PATH: `${bin}:${process.env.PATH}` };
  return (command) => {
    const { stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: dir,
      env,
      encoding: 'utf8',
    });
    return stdout + stderr;
  };
}

/** Ids are random. */
const withoutIds = (text: string): string =>
  text.replace(/\b[0-9a-f]{16}\b(?!…)/g, 'ID').replace(/\b[0-9a-f]{8}\b/g, 'ID');

it.skipIf(process.platform === 'win32')(
  'README shows packs as the commands print them, and the same hash',
  { tags: 'long', timeout: 60_000 },
  () => {
    const [, section] = /## Context packs\n[\s\S]*?```\n([\s\S]*?)```/.exec(
      readFileSync(README, 'utf8'),
    )!;
    const shown = section!.split(/^\$ /m).slice(1);
    expect(shown.length).toBeGreaterThan(5);
    const run = installed();
    const printed = shown.map((one) => {
      const [command = ''] = one.split('\n');
      return `${command}\n${run(command)}`;
    });
    expect(withoutIds(printed.join('$ '))).toBe(withoutIds(shown.join('$ ')));
  },
);

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

/** What there is for users and for other tools, by the pattern of its path. */
const PROMISED = [
  /^config\.yaml$/,
  /^current\.ctx$/,
  /^current\.ctx\.meta$/,
  /^checkpoints\/context\/.+\.ckpt$/,
  /^checkpoints\/saves\/.+\.ctx$/,
  /^compaction-snapshots\/.+\.ctx$/,
  /^journal\/.+\.b10$/,
];

it.runIf(process.platform !== 'win32')(
  'is laid out as promised, each file for its owner alone',
  async () => {
    const dir = scratch();
    expect(ben10(dir, ['init']).status).toBe(0);
    const hook = (event: string, fields: Record<string, unknown> = {}) =>
      hooked(dir, event, fields, { HOME: `${dir}/no-home` });
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: 'Always write ISO dates.', prompt_id: 'p1' });
    await hook('Stop');
    await hook('PreCompact', { trigger: 'auto' });
    await hook('SessionEnd', { reason: 'exit' });
    expect(ben10(dir, ['save', 'as it was']).status).toBe(0);
    expect(ben10(dir, ['checkpoint']).status).toBe(0);

    const root = path.join(dir, '.ben10');
    const all = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const modeOf = (name: string) => statSync(path.join(root, name)).mode & 0o777;
    const files = all.filter((name) => statSync(path.join(root, name)).isFile());
    expect(PROMISED.filter((pattern) => !files.some((name) => pattern.test(name)))).toEqual([]);
    expect(files.filter((name) => modeOf(name) !== 0o600)).toEqual([]);
    const folders = all.filter((name) => statSync(path.join(root, name)).isDirectory());
    expect(['', ...folders].filter((name) => modeOf(name) !== 0o700)).toEqual([]);
  },
);

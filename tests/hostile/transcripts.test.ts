/** @module-tag long */
import { closeSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ben10, json } from '../cli/support.ts';
import { runHook } from '../hook/run-hook.ts';
import { scratch } from '../support.ts';

/** The client's patience with a hook, milliseconds. */
const PATIENCE_MS = 5000;

/** Files that a client may be made to name, which have no end in reasonable time. */
const ENDLESS: Record<string, (file: string) => void> = {
  'empty lines': (file) => writeFileSync(file, Buffer.alloc(48 * 1024 * 1024, '\n')),
  'one line of a hole of 8 GiB': (file) => {
    const fd = openSync(file, 'w');
    ftruncateSync(fd, 8 * 1024 ** 3);
    closeSync(fd);
  },
};

it.each(Object.entries(ENDLESS))('a transcript of %s holds no hook up', async (_, make) => {
  const dir = scratch();
  const transcript = path.join(dir, 's.jsonl');
  make(transcript);
  const common = { session_id: 's', transcript_path: transcript, cwd: dir };
  for (const [event, more] of [
    ['SessionStart', { source: 'resume' }],
    ['UserPromptSubmit', { prompt: 'Go on.' }],
    ['PreCompact', { trigger: 'auto' }],
    ['Stop', {}],
  ] as const) {
    const startedAt = Date.now();
    const run = await runHook(dir, event, { ...common, hook_event_name: event, ...more });
    expect(Date.now() - startedAt, event).toBeLessThan(PATIENCE_MS);
    expect(run, event).toMatchObject({ code: 0, stderr: '' });
  }
  expect(json(ben10(dir, ['verify', '--json']))).toMatchObject({ ok: true, damage: [] });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { readEvents } from '../../src/projections/events.ts';
import { openTestProject, scratch } from '../support.ts';
import { runHook, toolCall } from './run-hook.ts';

it.each([
  ['PreToolUse', toolCall('one')],
  ['UserPromptSubmit', { session_id: 's', prompt: 'Build it.', prompt_id: 'p' }],
])(
  'what %s tells of happened when its process was started, not when its program was loaded',
  async (event, input) => {
    const dir = scratch();
    const stamp = path.join(dir, 'stamp');
    const first = path.join(dir, 'first.cjs');
    // Runs before the program does.
    writeFileSync(
      first,
      `require('fs').writeFileSync(${JSON.stringify(stamp)}, String(Date.now()))`,
    );
    const before = Date.now();
    const given = { ...input, hook_event_name: event };
    await runHook(dir, event, given, { NODE_OPTIONS: `--require=${first}` });
    const [told] = readEvents(openTestProject(dir).reader, xxh64, {});
    expect(told!.at).toBeGreaterThanOrEqual(before - 1);
    expect(told!.at).toBeLessThanOrEqual(Number(readFileSync(stamp, 'utf8')));
  },
);

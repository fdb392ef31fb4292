import { expect, test } from 'vitest';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { readEvents } from '../../src/projections/events.ts';
import { openTestProject, scratch } from '../support.ts';
import { runHook } from './run-hook.ts';

test('a prompt whose hook comes twice is recorded once, also when a secret was taken out of it', async () => {
  const dir = scratch();
  const prompt = `Deploy with ghp_${'Ab3dEf6hIj'.repeat(4).slice(0, 36)} please.`;
  const input = { session_id: 's', prompt, prompt_id: 'p' };
  for (let n = 0; n < 2; n += 1) await runHook(dir, 'UserPromptSubmit', input);
  const types = { types: ['prompt.submitted'] };
  const told = [...readEvents(openTestProject(dir).reader, xxh64, types)];
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).toContain('[REDACTED:');
});

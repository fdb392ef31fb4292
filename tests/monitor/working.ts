import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ben10, emptyProject, lines } from '../cli/support.ts';
import { givenIn, hooked } from '../hook/run-hook.ts';

/** A project, and a session's transcript that grows to so many percent of 200,000 tokens. */
export function working() {
  const dir = emptyProject();
  const file = path.join(dir, 'transcript.jsonl');
  writeFileSync(file, '');
  let n = 0;
  const growTo = (percent: number) => {
    n += 1;
    const usage = { input_tokens: percent * 2000, output_tokens: 1 };
    const message = {
      id: `m${n}`,
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [],
      usage,
    };
    const parentUuid = n === 1 ? null : `u${n - 1}`;
    const record = { type: 'assistant', uuid: `u${n}`, parentUuid, sessionId: 's', message };
    const timestamp = new Date(Date.UTC(2026, 10, 1, 10, n)).toISOString();
    appendFileSync(file, `${JSON.stringify({ ...record, timestamp })}\n`);
  };
  const hook = async (event: string, fields: Record<string, unknown> = {}, env = {}) =>
    hooked(dir, event, { transcript_path: file, ...fields }, env);
  const called = async (fields: Record<string, unknown> = {}) => {
    n += 1;
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: `t${n}` };
    return givenIn(
      await hook('PostToolUse', { ...call, tool_response: { stdout: '' }, ...fields }),
    );
  };
  const alerts = () => lines(ben10(dir, ['log', '--type', 'context.alerted', '--json']));
  return { dir, file, growTo, hook, called, alerts };
}

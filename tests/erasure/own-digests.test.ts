/** @module-tag long */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { preferenceKey } from '../../src/projections/folds/preferences.ts';
import { ben10, emptyProject } from '../cli/support.ts';
import { runHook } from '../hook/run-hook.ts';

const SECRET = 'tok_Aq7Zk2Lm9Xw4Bv6N';
const RULE = `Always deploy with ${SECRET} and nothing else.`;
/** What else the agent ran, as it was printed. */
const OUTPUTS = ['recall --source compact', 'preferences list', 'preferences list --json'];

const keyOf = (text: string) => preferenceKey('rule', text);

/** A project in which an agent was told a rule with the secret and ran ben10. */
async function recorded(): Promise<{ dir: string; outputs: string[] }> {
  const dir = emptyProject();
  const told = { session_id: 's1', cwd: dir };
  const hook = (name: string, more: object) =>
    runHook(dir, name, { ...told, hook_event_name: name, ...more });
  await hook('UserPromptSubmit', { prompt_id: 'p1', prompt: RULE });
  const outputs = OUTPUTS.map((command) => ben10(dir, command.split(' ')).stdout);
  for (const [at, stdout] of outputs.entries()) {
    const call = { tool_name: 'Bash', tool_use_id: `t${at}` };
    await hook('PostToolUse', {
      ...call,
      tool_input: { command: `ben10 ${OUTPUTS[at]}` },
      tool_response: { stdout, stderr: '', interrupted: false },
    });
  }
  return { dir, outputs };
}

const RULE_OF_OWN = `redaction:\n  patterns:\n    - id: OWN-TOKEN\n      pattern: 'tok_[A-Za-z0-9]{16}'\n`;

it('no digest that ben10 printed beside it confirms a guess at what was erased', async () => {
  for (const by of [
    ['--pattern', SECRET],
    ['--rule', 'OWN-TOKEN'],
  ]) {
    const { dir, outputs } = await recorded();
    const [recall = '', list = '', asJson = ''] = outputs;
    const body = recall.split('\n\n').slice(1).join('\n\n').split('\n</ben10')[0]!;
    const digests = [hash('sha256', body).slice(0, 8), keyOf(RULE), keyOf(RULE).slice(0, 8)];
    expect([recall.includes(digests[0]!), list.includes(digests[2]!)]).toEqual([true, true]);
    expect(asJson).toContain(digests[1]);
    writeFileSync(path.join(dir, '.ben10/config.yaml'), RULE_OF_OWN);
    expect(ben10(dir, ['erase', ...by, '--yes'])).toMatchObject({ status: 0 });
    const told = ben10(dir, ['log', '--json']).stdout;
    expect(told).toContain('<ben10-recall-00000000 ');
    for (const digest of digests) expect(told).not.toContain(digest);
  }
});

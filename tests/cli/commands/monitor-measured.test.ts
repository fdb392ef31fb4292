import { expect, it } from 'vitest';
import { openTestProject } from '../../support.ts';
import { ran, saw, tell, used } from '../../tell.ts';
import { emptyProject, inMemory, json, recordedProject } from '../support.ts';

const MINUTE = 60_000;

/** Contexts of three sessions that grow by 2,000 tokens a minute to their ends, and a sub-agent of the last. */
function projectWithContexts(): string {
  const dir = emptyProject();
  const project = openTestProject(dir);
  const at = (minute: number, tokens: number, session: string, agent: string | null = null) =>
    used(`${session} ${minute}`, tokens, { session, agent, at: minute * MINUTE });
  for (const [index, session] of ['a', 'b', 'c'].entries())
    for (let minute = 0; minute <= 86; minute += 1)
      tell(project, at(1000 * (index + 1) + minute, 20_000 + 2000 * minute, session));
  tell(project, at(3090, 60_000, 'c', 'agent-1'), at(3091, 20_000, 'c', 'agent-1'));
  return dir;
}

it('backtest says by how much forecasts were off, beside EWMA and the rate so far', async () => {
  const dir = projectWithContexts();
  const found = json<{ crossings: number; errors: Record<string, number> }>(
    await inMemory(dir, ['monitor', 'backtest', '--json']),
  );
  expect(found).toMatchObject({ contexts: 3, crossings: 9 });
  expect(Object.keys(found.errors)).toEqual(['ours', 'ewma', 'soFar', 'covered', 'width']);
  const said = await inMemory(dir, ['monitor', 'backtest']);
  expect(said.code).toBe(0);
  expect(said.stdout).toMatch(/ben10 +█+ +\d+%\n +EWMA .*\n +so far /);
  const empty = await inMemory(emptyProject(), ['monitor', 'backtest']);
  expect([empty.code, empty.stdout]).toEqual([1, '']);
});

it('agents has the main thread and each sub-agent with its own percent', async () => {
  const dir = projectWithContexts();
  const found = await inMemory(dir, ['monitor', 'agents', '--session', 'c', '--json']);
  expect(json<unknown>(found)).toEqual([
    { agent: null, messages: 87, tokens: 192_000, window: 200_000, percent: 96, peak: 96 },
    { agent: 'agent-1', messages: 2, tokens: 20_000, window: 200_000, percent: 10, peak: 30 },
  ]);
  expect((await inMemory(dir, ['monitor', 'agents', '--session', 'c'])).stdout).toContain(
    'agent-1',
  );
});

it('costs has how much summaries of compactions lack, as ben10 lost counts it', async () => {
  const dir = recordedProject();
  const { items } = json<{ items: object }>(await inMemory(dir, ['monitor', 'costs', '--json']));
  const { kept, lost, givenBack } = json<Record<string, number>>(
    await inMemory(dir, ['lost', '--json']),
  );
  expect(items).toEqual({ compactions: 1, of: kept! + lost!, lost, givenBack });
  const { stdout } = await inMemory(dir, ['monitor', 'costs']);
  expect(stdout).toContain(`Summaries of the newest 1 compaction lack ${lost} of `);
});

it('costs and report say what was redone since a time, one way beside the other', async () => {
  const dir = emptyProject();
  const project = openTestProject(dir);
  const read = (id: string) => ran(id, 'Read', { file_path: '/a' }, { response: 'text' });
  const compaction = { trigger: 'auto', summary: 'so', preTokens: 160_000 };
  tell(project, ...read('r1'), saw('compaction.finished', compaction), ...read('r2'));
  const all = json<Record<string, unknown>>(await inMemory(dir, ['monitor', 'costs', '--json']));
  const redone = { times: 1, reads: 1, commands: 0, tokens: 0, minutes: 0 };
  expect(all).toMatchObject({ afterCompactions: redone, afterHandoffs: { times: 0 } });
  expect(all.weeks).toMatchObject([{ name: '1969-12-29', afterCompactions: redone }]);
  expect(all.sessions).toMatchObject([{ name: 's', afterCompactions: redone }]);
  const said = await inMemory(dir, ['monitor', 'costs']);
  expect(said.stdout).toContain('After 1 compaction: 1 file read again, 0 commands run again');
  for (const verb of ['costs', 'report']) {
    const none = json<unknown>(await inMemory(dir, ['monitor', verb, '--since', '7d', '--json']));
    expect(none).toMatchObject({ afterCompactions: { times: 0 } });
    expect((await inMemory(dir, ['monitor', verb, '--since', 'soonish'])).code).toBe(2);
  }
  const report = await inMemory(dir, ['monitor', 'report']);
  expect(report.stdout).toContain('Compactions in mid-task: 0 of 1 (0%).');
});

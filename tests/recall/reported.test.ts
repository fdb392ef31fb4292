import { expect, it } from 'vitest';
import { observation } from '../../src/capture/observation.ts';
import { explainRecall, recallText } from '../../src/recall/recall.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';
import { importRecords, saw, tell } from '../tell.ts';

const REPORT = `Audit done, four services looked at.

- lib/shop/uplink.ex:140 retries forever when the broker answers 429
2. \`lib/shop/ota.ex:58\` treats cap 0 as infinite

The queue held 1,204 messages at most.
Nothing else stood out to me.`;

it('what a sub-agent found is given back line by line, with its places', () => {
  const project = openTestProject();
  const script = new Script();
  const records = [
    script.prompt('Find retries without an end.', 'p1'),
    script.calls('t1', 'Task', { description: 'audit retries', prompt: 'look' }),
    script.result('t1', [{ type: 'text', text: REPORT }]),
    script.says('It found some.'),
  ];
  importRecords(project, records);
  const { text, considered } = explainRecall(project, { source: 'compact', session: 's' });
  const reported = considered.flatMap(({ item }) => (item.kind === 'subagent' ? [item.text] : []));
  const found = [
    'lib/shop/uplink.ex:140 retries forever when the broker answers 429',
    '`lib/shop/ota.ex:58` treats cap 0 as infinite',
  ];
  expect(reported.toSorted()).toEqual(found.toSorted());
  const [, section = ''] = text.split('Sub-agents reported');
  for (const one of found) expect(section).toContain(one);
  for (const one of [...found, 'The queue held 1,204 messages at most.'])
    expect(text.split(one)).toHaveLength(2);
});

it('what a sub-agent reported in one paragraph is given back but for its places, which have lines of their own', () => {
  const project = openTestProject();
  const place = 'The call of pos-gateway is in services/pos/src/client.ts:88.';
  const rest = 'Two clients retry: checkout-web, and pos-gateway without any key.';
  const where = { session: 's', agent: 'a1b2c3d4e5', at: 1 };
  const of = { agentType: 'Explore' };
  const response = { content: [{ type: 'text', text: `${rest} ${place}` }] };
  const call = { toolUseId: 't1', name: 'Task', input: { prompt: 'look' } };
  const own = { ...where, agent: null };
  const { recorder } = project;
  const seen = [
    observation('subagent.started', 'a', where, of),
    observation('tool.called', 'b', own, call),
    observation('subagent.stopped', 'c', where, { ...of, lastMessage: `${rest} ${place}` }),
    observation('tool.succeeded', 'd', own, { ...call, response }),
  ];
  recorder.append(seen.map((one) => recorder.event(one, 'hook')));
  const { text } = explainRecall(project, { source: 'compact', session: 's' });
  const [, section = ''] = text.split('Sub-agents reported');
  expect(section).toContain(rest);
  expect(text.split(place)).toHaveLength(2);
});

it('a long report is given whole where there is room, in lines of whole sentences after its beginning', () => {
  const folders = Array.from(
    { length: 12 },
    (_, n) => `- \`/src/part${n}/\` has Form${n}.tsx, List${n}.tsx and index.ts`,
  );
  const report = `The project has a dual structure.\n\n${folders.join('\n')}`;
  const script = new Script();
  const project = importRecords(openTestProject(), [
    script.prompt('Describe the folders.', 'p1'),
    script.calls('t1', 'Task', { description: 'look', prompt: 'look' }),
    script.result('t1', [{ type: 'text', text: 'Done.' }]),
    script.says('It found some.'),
  ]);
  const where = { agent: 'a1b2c3d4e5', at: Date.now() };
  tell(project, saw('subagent.stopped', { agentType: 'Explore', lastMessage: report }, where));
  const given = (budget: number) =>
    recallText(project, { source: 'compact', session: 's', budget }).text;
  const lines = given(3000).split('\n');
  const own = lines.filter((line) => line.includes('a1b2c3d4: ') || line.includes('tool calls): '));
  expect(own[0]).toContain('a1b2c3d4 (0 tool calls): The project has a dual structure.');
  for (const [n, line] of own.entries()) expect([n, line.length < 340]).toEqual([n, true]);
  for (let n = 0; n < 12; n += 1)
    expect(own.join('\n')).toContain(
      `\`/src/part${n}/\` has Form${n}.tsx, List${n}.tsx and index.ts`,
    );
  expect(given(600)).toContain('The project has a dual structure.');
});

import { expect, it } from 'vitest';
import { observation } from '../../src/capture/observation.ts';
import { explainRecall } from '../../src/recall/recall.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';
import { importRecords } from '../tell.ts';

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

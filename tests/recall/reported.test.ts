import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importTranscripts } from '../../src/capture/import.ts';
import { explainRecall } from '../../src/recall/recall.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';

const REPORT = `Audit done, four services looked at.

- lib/shop/uplink.ex:140 retries forever when the broker answers 429
2. \`lib/shop/ota.ex:58\` treats cap 0 as infinite

The queue held 1,204 messages at most.
Nothing else stood out to me.`;

it('what a sub-agent found is given back line by line, with its places', () => {
  const project = openTestProject();
  const script = new Script();
  const file = path.join(project.dir, 's.jsonl');
  const records = [
    script.prompt('Find retries without an end.', 'p1'),
    script.calls('t1', 'Task', { description: 'audit retries', prompt: 'look' }),
    script.result('t1', [{ type: 'text', text: REPORT }]),
    script.says('It found some.'),
  ];
  writeFileSync(file, records.join(''));
  const { ports, reader, states, recorder } = project;
  importTranscripts({ ports, reader, states, recorder, paths: [file] });
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

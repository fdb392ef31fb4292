/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { clientIsHere } from './driver/client-install.ts';
import { wholeText } from './driver/requests.ts';
import { startConversation } from './driver/run-client.ts';
import { startTerminal } from './driver/run-terminal.ts';
import type { ModelRequest } from './driver/scenario.ts';
import { check, createTask, read } from './driver/sessions/calls.ts';
import { ben10, installed, logOf, ofType } from './support/recorded.ts';

const RULE = 'Never use a library for due dates.';
const COMMAND = '`sh check.sh` → exit 3: FAIL: todo.js knows no due dates';
const FIGURE = 'The list is capped at 4,250 items.';

/** A session that is compacted by hand, with a summary that tells nearly nothing, and goes on. */
async function compactedSession(settings: string[] = []) {
  const sandbox = installed();
  for (const setting of settings) ben10(sandbox, 'config', 'set', ...setting.split('='));
  const client = await startConversation(sandbox, {
    scenario: {
      summaries: ['A list was looked at.'],
      steps: [
        { text: 'I read the list.', tools: [read('src/todo.js')] },
        { text: 'I run the check.', tools: [check] },
        { text: 'I plan.', tools: [createTask('Add due dates', 'ISO dates')] },
        { text: 'The check fails.' },
        { text: 'I run the check again.', tools: [check] },
        { text: 'It fails still.' },
      ],
    },
  });
  client.say(`Add due dates. ${RULE} ${FIGURE}`);
  await client.turn(1);
  client.say('/compact remember the tests');
  await client.turn(2);
  client.say('Go on.');
  await client.turn(3);
  client.hangUp();
  const { requests } = await client.done;
  const asked = requests.findIndex(({ kind }) => kind === 'compaction');
  const next = requests.slice(asked + 1).find(({ kind }) => kind === 'main');
  return { sandbox, steered: wholeText(requests[asked]!), next: wholeText(next as ModelRequest) };
}

describe.runIf(clientIsHere())('around a compaction in the real client', () => {
  it('the summary is told what to keep, and the next request has what it dropped all the same', async () => {
    const { sandbox, steered, next } = await compactedSession();
    const [instructions = ''] = /Additional Instructions[\s\S]*/i.exec(steered) ?? [];
    expect(instructions).toContain('remember the tests');
    for (const item of [RULE, COMMAND, FIGURE]) expect(instructions).toContain(item);
    for (const item of [RULE, COMMAND, FIGURE, 'src/todo.js', '[ ] #1 Add due dates'])
      expect(next, item).toContain(item);
    // The client shows what its hook printed for a compaction that was asked for by hand: that is not given again.
    const [started = ''] = /Held before the compaction[\s\S]*?<\/ben10-recall/.exec(next) ?? [];
    expect(started).toContain('src/todo.js');
    for (const item of [RULE, COMMAND]) expect(started).not.toContain(item);
    // But the last prompt is, without its rules.
    expect(started).toContain(`Add due dates. … ${FIGURE}`);
    expect(next.match(/Held before the compaction/g)).toHaveLength(1);
    expect(next).not.toContain('More of what it held');
    const given = ofType(logOf(sandbox), 'recall.injected').map(({ data }) => data.source);
    expect(given).toEqual(['steering', 'compact', 'prompt']);
    const lost = JSON.parse(ben10(sandbox, 'lost', '--json'));
    const rule = lost.items.find(({ text }: { text: string }) => text === RULE);
    expect(rule).toMatchObject({ fate: 'lost', givenBack: expect.any(Number) });
    const used = lost.items.find(({ kind }: { kind: string }) => kind === 'error').used;
    expect(used).toContain('check.sh');
  });

  it('nothing is added to its instructions when the setting is off', async () => {
    const { steered, next } = await compactedSession(['recall.steering=false']);
    expect(steered).toContain('remember the tests');
    expect(steered).not.toContain('for the summary to carry');
    expect(next).toContain(RULE);
  });

  it('what the start gives is not on the screen: one line tells of it', async () => {
    const sandbox = installed();
    // What PreCompact prints is on the screen whatever its form.
    ben10(sandbox, 'config', 'set', 'recall.steering', 'false');
    const { requests, enter, until, screen, done } = await startTerminal(sandbox, {
      summaries: ['A list was looked at.'],
      steps: [{ text: 'Well.' }, { text: 'Well, well.' }],
    });
    const ends = () => ofType(logOf(sandbox), 'turn.ended').length;
    // Only what changes is drawn, so that a word may lack letters.
    expect(screen()).not.toContain('says:');
    await enter(`Add due dates. ${RULE}`);
    await until('the end of a turn', () => ends() === 1);
    await enter('/compact');
    await until('the line', () => /says: ?ben10: .*tok/.test(screen()));
    await enter('Go on.');
    await until('the next turn', () => ends() === 2);
    const next = requests.filter(({ kind }) => kind === 'main').at(-1)!;
    expect(wholeText(next)).toContain('Held before the compaction');
    expect(wholeText(next)).toContain(RULE);
    expect(screen()).not.toMatch(/recall-0|Quoted|Held/);
    await enter('/exit');
    expect((await done).exitCode).toBe(0);
  });
});

import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { Afterwards } from '../../src/mcp/afterwards.ts';
import { readdirIfThere } from '../../src/platform/files.ts';
import { context } from '../../src/projections/folds/context.ts';
import { anEvent, NOON } from '../log/events.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { connect, dataOf } from './support.ts';

it('does what was put off behind the answer, one thing in a turn', async () => {
  const order: string[] = [];
  const afterwards = new Afterwards();
  const answer = async () => {
    afterwards.add(() => order.push('one'));
    afterwards.add(() => order.push('two'));
    await setImmediate();
    await setImmediate();
    order.push('made');
    return 'answer';
  };
  void afterwards.after(answer).then(() => order.push('given'));
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  const first = [...order];
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  expect(first.slice(0, 2)).toEqual(['made', 'given']);
  expect(order).toEqual(['made', 'given', 'one', 'two']);
});

it('does it also when no answer is being made, and when one fails', async () => {
  const done: string[] = [];
  const afterwards = new Afterwards();
  afterwards.add(() => done.push('alone'));
  await setImmediate();
  expect(done).toEqual(['alone']);
  const failing = afterwards.after(async () => {
    afterwards.add(() => done.push('behind an error'));
    throw new Error('no answer');
  });
  await expect(failing).rejects.toThrow('no answer');
  await setImmediate();
  expect(done).toEqual(['alone', 'behind an error']);
});

it('stores the state that a replay came by, though the client leaves as soon as it has its answer', async () => {
  const dir = scratch();
  const { writer } = openTestProject(dir);
  const said = (n: number) =>
    anEvent(
      'message.recorded',
      { role: 'assistant', kind: 'text', text: `${n}` },
      { at: NOON + n * 60_000 },
    );
  writer.append(Array.from({ length: 150 }, (_, n) => said(n)));
  const server = await connect(dir);
  const states = `${layoutOf(`${dir}/.ben10`).checkpoints}/${context.name}`;
  const stored = () =>
    readdirIfThere(realPorts.fs, states).flatMap((session) =>
      readdirIfThere(realPorts.fs, `${states}/${session}`),
    );
  expect(stored()).toEqual([]);
  await dataOf(server, 'ben10_replay', { point: '@140', session: 's1' });
  await server.client.close();
  expect(stored()).toEqual([expect.stringMatching(/^\d{16}\.ckpt$/)]);
});

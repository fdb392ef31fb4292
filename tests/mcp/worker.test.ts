import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { isAlive } from './processes.ts';
import { playTurns, prompt } from './session.ts';
import {
  type Connected,
  call,
  connect,
  eventsOf,
  hookArgs,
  INITIALIZE,
  linesOf,
  rawServer,
  textOf,
  toolCall,
} from './support.ts';

const LOUD = { BEN10_LOG_LEVEL: 'debug' };
const WAIT = { timeout: 15_000, interval: 20 };

/** The processes that the server has had read for it, the last one last. */
const workersOf = ({ stderr }: Pick<Connected, 'stderr'>): number[] =>
  [...stderr().matchAll(/worker process (\d+) started/g)].map(([, pid]) => Number(pid));

describe('the process that reads for a server', () => {
  it('is started by the first question, and not by what hooks bring', async () => {
    const server = await connect(scratch(), LOUD);
    await playTurns(server, 2);
    expect(workersOf(server)).toEqual([]);
    await call(server, 'ben10_status');
    await call(server, 'ben10_log');
    expect(workersOf(server)).toHaveLength(1);
  });

  it('has read what hooks brought before the question', async () => {
    const server = await connect();
    for (let n = 1; n <= 20; n += 1) {
      const [, answer] = await Promise.all([
        prompt(server, n, `words of prompt ${n}`),
        call(server, 'ben10_log', { limit: 1 }),
      ]);
      expect(textOf(answer)).toContain(`words of prompt ${n}`);
    }
  });

  it.runIf(process.platform !== 'win32')(
    'may be at it for as long as it takes: hooks and pings are answered meanwhile',
    async () => {
      const server = await connect(scratch(), LOUD);
      await playTurns(server, 1);
      await call(server, 'ben10_status');
      const [pid] = workersOf(server);
      process.kill(pid!, 'SIGSTOP');
      onTestFinished(() => void (isAlive(pid!) && process.kill(pid!, 'SIGCONT')));
      let answered = false;
      const slow = call(server, 'ben10_log').then((answer) => {
        answered = true;
        return answer;
      });
      for (let n = 0; n < 20; n += 1) {
        await server.client.ping();
        await call(server, 'ben10_record', hookArgs('PreToolUse', `meanwhile-${n}`));
      }
      const recorded = JSON.stringify(eventsOf(server.dir).map(({ data }) => data));
      expect(recorded).toContain('meanwhile-19');
      expect(answered).toBe(false);
      process.kill(pid!, 'SIGCONT');
      expect(textOf(await slow)).toContain('tool.called');
    },
  );

  it('may die: the question is answered by an error, and the next one by another process', async () => {
    const server = await connect(scratch(), LOUD);
    await playTurns(server, 1);
    await call(server, 'ben10_status');
    const asked = Array.from({ length: 8 }, () => call(server, 'ben10_log'));
    process.kill(workersOf(server)[0]!, 'SIGKILL');
    const answers = await Promise.all(asked);
    const failed = answers.filter(({ isError }) => isError);
    for (const answer of failed)
      expect(textOf(answer)).toMatch(/^MCP_TOOL_ERROR: .*\nNext: Try again/);
    await expect.poll(() => call(server, 'ben10_log'), WAIT).not.toHaveProperty('isError');
    expect(workersOf(server)).toHaveLength(2);
    await expect(server.client.readResource({ uri: 'ben10://status' })).resolves.toBeDefined();
  });

  it('may die while it asks the user: the call fails, and the client is told to take the question back', async () => {
    const told: AbortSignal[] = [];
    const server = await connect(scratch(), LOUD, (_question, takenBack) => {
      told.push(takenBack);
      return new Promise(() => {});
    });
    await playTurns(server, 1);
    const asked = call(server, 'ben10_clear');
    await expect.poll(() => told, WAIT).toHaveLength(1);
    process.kill(workersOf(server)[0]!, 'SIGKILL');
    const answer = await asked;
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^MCP_TOOL_ERROR: .* ended with SIGKILL\nNext: Try again/);
    await expect.poll(() => told[0]!.aborted, WAIT).toBe(true);
    expect(await call(server, 'ben10_log')).not.toHaveProperty('isError');
  });

  it('goes with what it read when that is erased, and answers first what it was asked', {
    tags: 'long',
  }, async () => {
    const server = await connect(scratch(), LOUD);
    await prompt(server, 1, 'the key is kanari-4711-vogel, thanks');
    expect(textOf(await call(server, 'ben10_log'))).toContain('kanari');
    const [first] = workersOf(server);
    const erased = ben10(server.dir, ['erase', '--pattern', 'kanari-4711-vogel', '--yes']);
    expect(erased.status, erased.stderr).toBe(0);
    while (isAlive(first!)) {
      expect(await call(server, 'ben10_log')).not.toHaveProperty('isError');
      await setTimeout(5);
    }
    expect(textOf(await call(server, 'ben10_log'))).not.toContain('kanari');
    expect(workersOf(server).length).toBeGreaterThan(1);
  });

  it('ends with the server, however that ends', { tags: 'long' }, async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const server = rawServer(scratch(), { env: LOUD });
      server.send(INITIALIZE, toolCall(1, 'ben10_status', {}));
      await server.answer(1);
      const [pid] = workersOf(server);
      expect(isAlive(pid!)).toBe(true);
      server.child.kill(signal);
      await server.ended;
      await expect.poll(() => isAlive(pid!), WAIT).toBe(false);
    }
  });

  it('answers what was asked before stdin ended', async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE, ...[1, 2, 3].map((id) => toolCall(id, 'ben10_status', {})));
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
    expect(linesOf(server.stdout()).map(({ id }) => id)).toEqual(['init', 1, 2, 3]);
  });
});

import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support.ts';
import { playTurns, record, SESSION } from '../session.ts';
import {
  type Connected,
  call,
  connect,
  dataOf,
  eventsOf,
  INITIALIZE,
  rawServer,
  textOf,
  toolCall,
} from '../support.ts';

interface Cleared {
  cleared: boolean;
  seq: number;
  messages: number;
  toolExecutions: number;
  next: string;
}

const clears = (dir: string) => eventsOf(dir).filter(({ type }) => type === 'context.cleared');

const messagesNow = async (server: Connected): Promise<number> => {
  const { state } = await dataOf<{ state: { conversation: { messageCount: number } } }>(
    server,
    'ben10_replay',
  );
  return state.conversation.messageCount;
};

/** A session of two turns, and a client whose user answers so. */
async function asked(answer: ElicitResult | (() => Promise<ElicitResult>)) {
  const questions: string[] = [];
  const server = await connect(scratch(), {}, (question) => {
    questions.push(question);
    return typeof answer === 'function' ? answer() : answer;
  });
  await playTurns(server, 2);
  return { server, questions };
}

describe('ben10_clear', () => {
  it('asks the user where the client can, and clears when they agree', async () => {
    const { server, questions } = await asked({ action: 'accept', content: {} });
    const cleared = await dataOf<Cleared>(server, 'ben10_clear');
    expect(cleared).toMatchObject({ cleared: true, session: SESSION, seq: 10, messages: 4 });
    expect(questions).toEqual([
      expect.stringMatching(
        /^Start an empty context\? .*11111111.*messages 4, files 2, tool calls 4/,
      ),
    ]);
    expect(clears(server.dir)).toMatchObject([{ source: 'tool', data: { upto: 10 } }]);
    expect(await messagesNow(server)).toBe(0);
  });

  it('is undone by the restore that it names', async () => {
    const { server } = await asked({ action: 'accept', content: {} });
    const { next } = await dataOf<Cleared>(server, 'ben10_clear');
    const [, point] = /point "(@\d+)"/.exec(next)!;
    expect(textOf(await call(server, 'ben10_restore', { point }))).toContain('step 2');
    expect(await messagesNow(server)).toBe(4);
  });

  it.each(['decline', 'cancel'] as const)(
    'does nothing when the user answers: %s',
    async (action) => {
      const { server, questions } = await asked({ action });
      const said = await dataOf<Cleared>(server, 'ben10_clear', { force: false });
      expect(said).toMatchObject({ cleared: false, messages: 4, toolExecutions: 4 });
      expect(said.next).toMatch(/^The user (?:said no|closed the question)/);
      expect(questions).toHaveLength(1);
      expect(clears(server.dir)).toEqual([]);
    },
  );

  it('leaves behind what was recorded while the question stood, too', async () => {
    let server: Connected | undefined;
    const found = await asked(async () => {
      await playTurns(server!, 3);
      return { action: 'accept', content: {} };
    });
    server = found.server;
    const before = eventsOf(server.dir).length;
    const cleared = await dataOf<Cleared>(server, 'ben10_clear');
    expect(cleared.seq).toBeGreaterThan(before);
    expect(await messagesNow(server)).toBe(0);
  });

  it('clears the session that it asked about, whichever was active while the question stood', async () => {
    let server: Connected | undefined;
    const found = await asked(async () => {
      const prompt = { prompt: 'Of another session.', prompt_id: 'o1', session_id: 'another' };
      await record(server!, 'UserPromptSubmit', 1, prompt);
      return { action: 'accept', content: {} };
    });
    server = found.server;
    expect(await dataOf<Cleared>(server, 'ben10_clear')).toMatchObject({
      cleared: true,
      session: SESSION,
    });
    expect(clears(server.dir)).toMatchObject([{ session: SESSION }]);
  });

  it('explains what it would leave behind where the client cannot ask, and that force does it', async () => {
    const server = await connect();
    await playTurns(server, 2);
    const would = await dataOf<Cleared>(server, 'ben10_clear');
    expect(would).toMatchObject({ cleared: false, seq: 10, messages: 4, toolExecutions: 4 });
    expect(would.next).toContain('force: true');
    expect(await messagesNow(server)).toBe(4);
    expect(await dataOf<Cleared>(server, 'ben10_clear', { force: true })).toMatchObject({
      cleared: true,
      seq: 10,
    });
    expect(await messagesNow(server)).toBe(0);
  });

  it('does not ask when it is told to', async () => {
    const { server, questions } = await asked({ action: 'decline' });
    expect(await dataOf<Cleared>(server, 'ben10_clear', { force: true })).toMatchObject({
      cleared: true,
    });
    expect(questions).toEqual([]);
  });

  it('takes a client that fails to ask for one whose user did not answer', async () => {
    const { server } = await asked(async () => {
      throw new Error('no window');
    });
    const said = await dataOf<Cleared>(server, 'ben10_clear');
    expect(said.cleared).toBe(false);
    expect(said.next).toMatch(/^Nobody answered\./);
    expect(clears(server.dir)).toEqual([]);
  });

  it('has nothing to ask where nothing was recorded', async () => {
    const questions: string[] = [];
    const server = await connect(scratch(), {}, (question) => {
      questions.push(question);
      return { action: 'accept', content: {} };
    });
    const answer = await call(server, 'ben10_clear');
    expect(textOf(answer)).toMatch(/^CONTEXT_NOT_FOUND: .*\nNext: /);
    expect(questions).toEqual([]);
  });

  it('does not keep the server alive when the client goes while it asks', async () => {
    const first = await connect();
    await playTurns(first, 1);
    await first.client.close();
    const server = rawServer(first.dir);
    const { params } = INITIALIZE;
    const capabilities = { elicitation: {} };
    server.send({ ...INITIALIZE, params: { ...params, capabilities } });
    await server.answer('init');
    server.send(toolCall(1, 'ben10_clear', {}));
    await expect.poll(() => server.stdout(), { timeout: 15_000 }).toContain('elicitation/create');
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
    expect(clears(first.dir)).toEqual([]);
  });
});

/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { clientIsHere } from './driver/client-install.ts';
import { toolResults, wholeText } from './driver/requests.ts';
import { type ClientRun, runClient } from './driver/run-client.ts';
import { startTerminal } from './driver/run-terminal.ts';
import type { Sandbox } from './driver/sandbox.ts';
import { check, createTask, read } from './driver/sessions/calls.ts';
import { killedClient } from './driver/sessions/killed-client.ts';
import {
  ben10,
  installed,
  logOf,
  ofType,
  recorded,
  repeated,
  witnessed,
} from './support/recorded.ts';

const RULE = 'Never use a library for due dates.';

const json = (sandbox: Sandbox, ...args: string[]) => JSON.parse(ben10(sandbox, ...args, '--json'));

/** A session that works and ends. */
const work = (sandbox: Sandbox): Promise<ClientRun> =>
  runClient(sandbox, {
    prompt: `Add due dates. ${RULE}`,
    scenario: {
      steps: [
        { text: 'I plan.', tools: [createTask('Add due dates', 'ISO dates')] },
        { text: 'I run the check.', tools: [check] },
        { text: 'The check fails.' },
      ],
    },
  });

/** A session in which the model calls one of ben10's tools, once its server is there. */
const calling = (sandbox: Sandbox, name: string, input = {}): Promise<ClientRun> =>
  runClient(sandbox, {
    prompt: 'Look around.',
    scenario: {
      steps: [
        { text: 'I read.', tools: [read('README.md')] },
        { text: 'I ask.', tools: [{ name: `mcp__ben10__${name}`, input }] },
        { text: 'Done.' },
      ],
    },
  });

describe.runIf(clientIsHere())('in the real client, from one session to the next', () => {
  it('what one session did is before the next one from its first request on', async () => {
    const sandbox = installed();
    const first = await work(sandbox);
    const second = await runClient(sandbox, {
      prompt: 'Go on.',
      scenario: { steps: [{ text: 'I go on.' }] },
    });
    expect(second.sessionId).not.toBe(first.sessionId);
    const told = wholeText(second.requests.find(({ kind }) => kind === 'main')!);
    expect(told).toContain('<ben10-recall-');
    for (const item of [RULE, 'sh check.sh', 'Add due dates']) expect(told).toContain(item);
    const log = logOf(sandbox);
    expect(ofType(log, 'session.ended').map(({ session }) => session)).toEqual([
      first.sessionId,
      second.sessionId,
    ]);
  });

  it('a client that was killed costs nothing that was saved or recorded before', async () => {
    const sandbox = installed();
    const runs = await killedClient(sandbox);
    const log = logOf(sandbox);
    const seen = witnessed(runs.flatMap(({ requests }) => requests));
    expect(recorded(log).prompts).toEqual(seen.prompts);
    expect(repeated(log)).toEqual([]);
    // What came of a call that was cut off is not known to every witness; that it was made is.
    const calls = (lines: string[]) => lines.map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(calls(recorded(log).outcomes)).toEqual(calls(seen.outcomes));
    expect(json(sandbox, 'verify')).toMatchObject({ ok: true });
    ben10(sandbox, 'save', 'before the crash');
    const killed = await runClient(sandbox, {
      prompt: `One more thing. ${RULE}`,
      resume: runs[0]!.sessionId,
      scenario: { steps: [{ text: 'I read.', tools: [read('src/todo.js')] }, { text: 'Done.' }] },
      onRequest: ({ index }, client) => {
        if (index === 1) client.kill('SIGKILL');
      },
    });
    expect(killed.signal).toBe('SIGKILL');
    const next = await runClient(sandbox, {
      prompt: 'Go on.',
      scenario: { steps: [{ text: 'I go on.' }] },
    });
    expect(wholeText(next.requests.find(({ kind }) => kind === 'main')!)).toContain(RULE);
    const saved = ben10(sandbox, 'restore', '@save:before the crash');
    expect(saved).toContain('And once more.');
    expect(saved).not.toContain(RULE);
    const session = killed.sessionId;
    expect(ben10(sandbox, 'restore', `@session:${session}:end`)).toContain(RULE);
  });

  it('the model asks for the status and gets data', async () => {
    const run = await calling(installed(), 'ben10_status');
    const answer = toolResults(run.requests).at(-1)!;
    expect(answer.isError, answer.text).toBe(false);
    expect(JSON.parse(answer.text)).toMatchObject({ exists: true, health: 'good' });
  });

  it('the model reads a resource through the client', async () => {
    const run = await runClient(installed(), {
      prompt: 'How do things stand?',
      // Otherwise the first request does not wait for servers to be connected.
      env: { MCP_CONNECTION_NONBLOCKING: '0' },
      scenario: {
        steps: [
          {
            text: 'I read it.',
            tools: [
              { name: 'ReadMcpResourceTool', input: { server: 'ben10', uri: 'ben10://status' } },
            ],
          },
          { text: 'Well.' },
        ],
      },
    });
    const answer = toolResults(run.requests).at(-1)!;
    expect(answer.isError, answer.text).toBe(false);
    const [content] = JSON.parse(answer.text).contents;
    expect(content.uri).toBe('ben10://status');
    expect(JSON.parse(content.text)).toMatchObject({ exists: true, health: 'good' });
  });

  // Only in a terminal: with `-p` the client resolves no mentions.
  it('a resource that a person mentions in a prompt comes with it', async () => {
    const sandbox = installed();
    const terminal = await startTerminal(sandbox, {
      steps: [{ text: 'I am here.' }, { text: 'Well.' }],
    });
    const { requests, enter, until } = terminal;
    const main = () => requests.filter(({ kind }) => kind === 'main');
    await enter('Hello.');
    await until('the end of a turn', () => ofType(logOf(sandbox), 'turn.ended').length === 1);
    expect(main()).toHaveLength(1);
    // The space ends the name, so that Enter chooses nothing from a list of names.
    await enter('How do things stand? @ben10:ben10://status ');
    await until('the prompt', () => main().length === 2);
    const before = wholeText(main()[0]!);
    const after = wholeText(main()[1]!);
    const status = /^\{"exists":true,.*"health":"good".*\}$/m;
    expect(before).not.toMatch(status);
    expect(after).toContain('How do things stand?');
    expect(after).toMatch(status);
    expect(JSON.parse(status.exec(after)![0])).toMatchObject({ directory: sandbox.project });
    await enter('/exit');
    expect((await terminal.done).exitCode).toBe(0);
  });
});

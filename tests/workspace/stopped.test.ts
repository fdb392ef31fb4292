import { describe, expect, it } from 'vitest';
import { type ContextState, context } from '../../src/projections/folds/context.ts';
import type { EnvironmentChange } from '../../src/projections/folds/workspace.ts';
import { stoppedByItself } from '../../src/workspace/stopped.ts';
import { factOf } from '../projections/support/telling.ts';

/** A session as its client tells it, one event a moment. */
class Told {
  state: ContextState = context.initial();
  at = 0;
  readonly #data = new Map<number, unknown>();

  #add(type: string, data: object): void {
    this.at += 1;
    this.#data.set(this.at, data);
    const given = { seq: this.at, at: this.at };
    this.state = context.apply(this.state, factOf(type as 'tool.called', data as never, given));
  }

  call(name: string, input: object, response: object | 'failed' = { stdout: '' }): this {
    const toolUseId = `t${this.at}`;
    this.#add('tool.called', { toolUseId, name, input });
    if (response === 'failed') this.#add('tool.failed', { toolUseId, name, error: 'None' });
    else this.#add('tool.succeeded', { toolUseId, name, response });
    return this;
  }

  /** A shell in the background, as the client answers. */
  start(id: string, command: string): this {
    return this.call('Bash', { command, run_in_background: true }, { backgroundTaskId: id });
  }

  /** Which of the changes are its own doing, when they are seen now. */
  own(past: readonly EnvironmentChange[], ...changes: EnvironmentChange[]): string[] {
    const seen = changes.map((one) => ({ ...one, at: this.at + 1, seq: this.at + 1 }));
    const found = stoppedByItself(seen, this.state, past, (seq) => this.#data.get(seq));
    return [...found].map(({ name }) => name);
  }
}

const changed = (
  kind: string,
  name: string,
  [from, to]: [string | null, string | null],
  at = 0,
): EnvironmentChange => ({ kind, name, from, to, at, seq: at });
const down = (port: number) => changed('server', `:${port}`, ['node', null]);
const came = (port: number, at: number) => changed('server', `:${port}`, [null, 'node'], at);

describe.each([
  ['KillShell', 'shell_id'],
  ['KillBash', 'shell_id'],
  ['TaskStop', 'task_id'],
])('a server that went down when %s ended a shell', (stop, field) => {
  const stopping = (told: Told, id = 'b1') => told.call(stop, { [field]: id });

  it('is the session’s own doing where the command names its port, and no other server is', () => {
    const told = stopping(new Told().start('b1', 'npm run dev -- --port 3000'));
    expect(told.own([], down(3000), down(5432))).toEqual([':3000']);
    expect(told.own([], down(5432))).toEqual([]);
  });

  it('is so of what came up together with a server whose port the command names, and of no other', () => {
    const told = stopping(new Told().start('b1', 'node all.js 3000'));
    expect(told.own([], down(3000), down(4000))).toEqual([':3000']);
    const past = [came(3000, 2), came(4000, 2), came(5000, 3)];
    expect(told.own(past, down(3000), down(4000), down(5000))).toEqual([':3000', ':4000']);
  });

  it('is so where the shell’s output names it, however that was read', () => {
    const vite = { stdout: '  VITE ready\n  Local: http://localhost:5173/' };
    for (const [tool, input] of [
      ['BashOutput', { bash_id: 'b1' }],
      ['TaskOutput', { task_id: 'b1' }],
      ['Bash', { command: 'tail /tmp/tasks/b1.output' }],
    ] as const) {
      const told = new Told().start('b1', 'npm run dev').call(tool, input, vite);
      expect(stopping(told).own([], down(5173), down(3000)), tool).toEqual([':5173']);
    }
    const other = new Told().start('b1', 'npm run dev').call('BashOutput', { bash_id: 'b2' }, vite);
    expect(stopping(other).own([], down(5173), down(3000))).toEqual([]);
  });

  it('is not so where it listened before the shell was started', () => {
    const told = new Told().call('Bash', { command: 'ls' });
    const past = [came(4000, 1)];
    stopping(told.start('b1', 'npm run dev'));
    expect(told.own(past, down(4000))).toEqual([]);
    expect(told.own([...past, came(3000, 5)], down(3000), down(4000))).toEqual([':3000']);
  });

  it('is so where nothing tells whose it was, unless more are down than shells were ended', () => {
    expect(stopping(new Told()).own([], down(3000))).toEqual([':3000']);
    expect(stopping(new Told()).own([], down(3000), down(4000))).toEqual([]);
    const two = stopping(stopping(new Told(), 'b1'), 'b2');
    expect(two.own([], down(3000), down(4000))).toEqual([':3000', ':4000']);
    // A shell may have started several at once.
    const told = stopping(new Told().start('b1', 'npm run all'));
    expect(told.own([came(3000, 2), came(4000, 2)], down(3000), down(4000))).toHaveLength(2);
    expect(told.own([came(3000, 2), came(4000, 3)], down(3000), down(4000))).toEqual([]);
  });

  it('is not so where it failed, was long ago, or came after', () => {
    const failed = new Told().start('b1', 'npm run dev').call(stop, { [field]: 'b1' }, 'failed');
    expect(failed.own([], down(3000))).toEqual([]);
    const long = stopping(new Told().start('b1', 'npm run dev'));
    for (let n = 0; n < 12; n += 1) long.call('Bash', { command: `cat ${n}` });
    expect(long.own([], down(3000))).toEqual([]);
    const up = changed('server', ':3000', ['node', 'python3']);
    expect(stopping(new Told()).own([], up)).toEqual([]);
  });

  it('and a container is, where the shell’s command started it', () => {
    const db = changed('container', 'db', ['running', 'exited']);
    const web = changed('container', 'web', ['running', null]);
    const told = stopping(new Told().start('b1', 'docker run --name db postgres'));
    expect(told.own([], db, web)).toEqual(['db']);
    const compose = stopping(new Told().start('b1', 'docker compose up'));
    expect(compose.own([], db, web)).toEqual(['db', 'web']);
    const unknown = new Told().call('Bash', { command: 'docker run -d --name db postgres' });
    expect(stopping(unknown).own([], db, web)).toEqual(['db']);
    const started = changed('container', 'db', [null, 'running']);
    expect(told.own([], started)).toEqual([]);
  });
});

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StdioTransport } from '../../src/mcp/transport.ts';
import { linesOf } from './support.ts';

const MAX = 2_000;

function opened() {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const transport = new StdioTransport(stdin, stdout, MAX, (head) => ({
    result: { headChars: head.length },
  }));
  const messages: unknown[] = [];
  const errors: string[] = [];
  let closed = 0;
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error.message);
  transport.onclose = () => {
    closed += 1;
  };
  void transport.start();
  const written = () => linesOf((stdout.read() as Buffer | null)?.toString() ?? '');
  return { stdin, stdout, transport, messages, errors, closed: () => closed, written };
}

/** Until the streams have passed on what was written. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the stdio transport', () => {
  it('passes on requests, notifications and answers, and nothing else', async () => {
    const { stdin, messages, errors } = opened();
    const good = [
      { jsonrpc: '2.0', id: 1, method: 'a' },
      { jsonrpc: '2.0', id: 'x', method: 'a', params: {} },
      { jsonrpc: '2.0', method: 'n' },
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: 3, error: { code: 1, message: '' } },
    ];
    const bad = [
      [],
      null,
      7,
      {},
      { id: 1, method: 'a' },
      { jsonrpc: '2.0', id: null, method: 'a' },
      { jsonrpc: '2.0', id: {}, method: 'a' },
      { jsonrpc: '2.0', id: 1.5, method: 'a' },
      { jsonrpc: '2.0', id: 1, method: 'a', params: [1] },
      { jsonrpc: '2.0', id: 1, method: 7 },
      { jsonrpc: '2.0', result: {} },
    ];
    for (const one of [...bad, ...good]) stdin.write(`${JSON.stringify(one)}\n`);
    stdin.write('\n  \r\n{"half\n');
    await settled();
    expect(messages).toEqual(good);
    expect(errors).toHaveLength(bad.length + 1);
  });

  it('says of a line that it cannot use only how long it is', async () => {
    const { stdin, errors } = opened();
    stdin.write('{"password": "hunter2"}\npassword hunter2\n');
    await settled();
    expect(errors).toHaveLength(2);
    expect(errors.join()).not.toContain('hunter2');
  });

  it.each([
    ['first', (id: unknown, pad: string) => ({ jsonrpc: '2.0', id, method: 'm', params: { pad } })],
    ['last', (id: unknown, pad: string) => ({ method: 'm', params: { pad }, jsonrpc: '2.0', id })],
    ['after params', (id: unknown, pad: string) => ({ method: 'm', params: { pad }, id })],
  ])('answers a message that is too long when its id stands %s', async (_, message) => {
    for (const id of [17, 'req-1']) {
      const { stdin, messages, errors, written } = opened();
      stdin.write(`${JSON.stringify(message(id, 'p'.repeat(MAX)))}\n`);
      await settled();
      expect(written()).toEqual([
        { jsonrpc: '2.0', id, result: { headChars: expect.any(Number) } },
      ]);
      expect(messages).toEqual([]);
      expect(errors).toEqual([expect.stringMatching(/^a message of \d+ bytes was dropped/)]);
    }
  });

  it('leaves one unanswered whose id cannot be told', async () => {
    const { stdin, written, errors } = opened();
    stdin.write(`${'x'.repeat(MAX + 1)}\n`);
    await settled();
    expect(written()).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  it('closes when stdin ends, after the last answer', async () => {
    const { stdin, transport, closed } = opened();
    stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"a"}\n');
    // Cancelled requests are not answered.
    stdin.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n');
    stdin.end();
    await settled();
    expect(closed()).toBe(0);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(closed()).toBe(1);
  });

  it('closes once, also when stdout breaks, and writes nothing after that', async () => {
    const { stdout, transport, closed, written } = opened();
    stdout.emit('error', new Error('EPIPE'));
    await transport.close();
    await transport.send({ jsonrpc: '2.0', method: 'n' });
    expect(closed()).toBe(1);
    expect(written()).toEqual([]);
  });
});

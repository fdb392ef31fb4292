import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { parseJson } from '../capture/json.ts';
import { LineReader } from './lines.ts';

/** Answers a request that was too long, of which only the ends are known. */
type AnswerOversized = (head: string, bytes: number) => { result: object } | { error: object };

/**
 * MCP over stdio: one JSON-RPC message per line. Unlike the SDK's transport, it survives messages that are too long, reads large
 * ones in linear time, and notices when the client disconnects.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #lines: LineReader;
  /** The client's requests without an answer yet. */
  readonly #pending = new Set<unknown>();
  /** The server's own requests without an answer yet. */
  readonly #asked = new Set<unknown>();
  #ended = false;
  #closed = false;

  constructor(
    stdin: Readable,
    stdout: Writable,
    lineBytesMax: number,
    answerOversized: AnswerOversized,
  ) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#lines = new LineReader(lineBytesMax, {
      line: (line) => this.#receive(line),
      oversized: (bytes, head, tail) => this.#refuse(bytes, head, tail, answerOversized),
    });
  }

  async start(): Promise<void> {
    this.#stdin.on('data', (chunk: Buffer) => this.#lines.push(chunk));
    this.#stdin.on('end', () => this.#end());
    this.#stdin.on('close', () => this.#end());
    this.#stdin.on('error', () => this.#end());
    // EPIPE: the client has disconnected.
    this.#stdout.on('error', () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#closed) this.#stdout.write(`${JSON.stringify(message)}\n`);
    if ('id' in message && 'method' in message) {
      this.#asked.add(message.id);
      if (this.#ended) this.#giveUpAsking();
    }
    if ('id' in message && !('method' in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stdin.destroy();
    this.onclose?.();
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    let message: unknown;
    try {
      message = parseJson(line);
    } catch {
      this.onerror?.(new Error(`a line of ${line.length} characters is not JSON`));
      return;
    }
    if (!isMessage(message)) {
      this.onerror?.(new Error(`a line of ${line.length} characters is not a JSON-RPC message`));
      return;
    }
    if ('method' in message && 'id' in message) this.#pending.add(message.id);
    if (!('method' in message)) this.#asked.delete(message.id);
    // A cancelled request is never answered.
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#settle((message.params as { requestId?: unknown } | undefined)?.requestId);
    }
    this.onmessage?.(message);
  }

  #refuse(bytes: number, head: string, tail: string, answer: AnswerOversized): void {
    this.onerror?.(new Error(`a message of ${bytes} bytes was dropped: too long`));
    const id = idIn(head, tail);
    if (id === undefined) return;
    void this.send({ jsonrpc: '2.0', id, ...answer(head, bytes) } as JSONRPCMessage);
  }

  #settle(id: unknown): void {
    this.#pending.delete(id);
    if (this.#ended && this.#pending.size === 0) void this.close();
  }

  #end(): void {
    this.#ended = true;
    this.#giveUpAsking();
    if (this.#pending.size === 0) void this.close();
  }

  /** Fails the server's own requests, so that waiting calls can end. */
  #giveUpAsking(): void {
    const error = { code: ErrorCode.ConnectionClosed, message: 'the client has disconnected' };
    for (const id of this.#asked) {
      this.#asked.delete(id);
      this.onmessage?.({ jsonrpc: '2.0', id, error } as JSONRPCMessage);
    }
  }
}

/** The SDK's error would quote an invalid message, which may hold a secret. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  const isId = typeof id === 'string' || Number.isInteger(id);
  if (jsonrpc !== '2.0' || (id !== undefined && !isId)) return false;
  if (typeof method === 'string') return params === undefined || isObject(params);
  return isId && (isObject(result) || isObject(error));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Clients write the id first or last. */
function idIn(head: string, tail: string): string | number | undefined {
  const match =
    /^\{(?:"jsonrpc":"2\.0",)?"id":(\d{1,15}|"[^"\\]{1,100}")[,}]/.exec(head) ??
    /,"id":(\d{1,15}|"[^"\\]{1,100}")(?:,"jsonrpc":"2\.0")?\}\s*$/.exec(tail);
  return match === null ? undefined : (JSON.parse(match[1]!) as string | number);
}

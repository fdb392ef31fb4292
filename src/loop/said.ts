import { StringDecoder } from 'node:string_decoder';
import { contextTokens, tokensOf } from '../monitor/tail.ts';
import { windowBy } from '../monitor/window.ts';
import { fieldsIn } from '../platform/config/value.ts';
import { errno } from '../platform/errors.ts';
import { withFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { type Tokens, tokenCount } from '../projections/message-usage.ts';
import type { Prices } from '../usage/prices.ts';

/** What is more of a line says nothing to us. */
const LINE_CHARS_MAX = 8 * 1024 * 1024;
const READ_BYTES = 256 * 1024;
/** Of a client that speaks no stream-json. */
const TAIL_CHARS = 64 * 1024;
const MESSAGES_MAX = 100_000;

type Fields = Record<string, unknown>;

/** What a client has said so far on its stdout: stream-json, of which unknown lines are ignored; or plain text. */
export class Said {
  /** Of the `result` line. */
  result: { text: string; isError: boolean } | undefined;
  /** The fullest that its context was, in percent. */
  peak: number | undefined;
  bytes = 0;
  /** Seconds since the epoch. */
  resetsAt: number | undefined;
  isRateLimited = false;
  /** The end of what it printed, as text. */
  tail = '';
  readonly #file: string;
  readonly #prices: Prices;
  readonly #perMessage = new Map<string, { fresh: number; usd: number | undefined }>();
  #total: number | undefined;
  #usd: number | undefined;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(file: string, prices: Prices) {
    this.#file = file;
    this.#prices = prices;
  }

  /** Tokens that were new to the model, without those read from its cache. */
  get tokens(): number | undefined {
    return this.#total ?? sumOf(Array.from(this.#perMessage.values(), ({ fresh }) => fresh));
  }

  /** As the client says; of one that was ended before, at list prices. */
  get costUsd(): number | undefined {
    return (
      this.#usd ?? sumOf(Array.from(this.#perMessage.values()).flatMap(({ usd }) => usd ?? []))
    );
  }

  /** How full its context is, as we or its client's hooks see it. */
  sees(percent: number | null | undefined): void {
    if (percent != null) this.peak = Math.max(this.peak ?? 0, percent);
  }

  /** Reads what came since. */
  read(): void {
    try {
      // No more than there was: a client that prints without end must not hold us.
      withFile(nodeFs, this.#file, Number.POSITIVE_INFINITY, (size, readInto) => {
        while (this.bytes < size) {
          const buffer = Buffer.alloc(Math.min(READ_BYTES, size - this.bytes));
          const had = readInto(buffer, this.bytes);
          if (had === 0) return;
          this.bytes += had;
          this.#take(buffer.subarray(0, had));
        }
      });
    } catch (error) {
      if (errno(error) === undefined) throw error;
      // An erasure, or a full disk, took it.
    }
  }

  #take(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    this.tail = (this.tail + text).slice(-TAIL_CHARS);
    if (this.#rest.length === LINE_CHARS_MAX && !text.includes('\n')) return;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!.slice(0, LINE_CHARS_MAX);
    for (const line of lines) if (line.startsWith('{')) this.#line(line);
  }

  #line(line: string): void {
    let said: Fields;
    try {
      said = JSON.parse(line) as Fields;
    } catch {
      return;
    }
    if (said.type === 'assistant') this.#message(said);
    else if (said.type === 'rate_limit_event') this.#limit(fieldsIn(said.rate_limit_info));
    else if (said.type === 'result') this.#end(said);
  }

  #message(said: Fields): void {
    const { id, usage, model } = fieldsIn(said.message);
    if (said.error === 'rate_limit') this.isRateLimited = true;
    else if (said.error === undefined) this.isRateLimited = false;
    const tokens = usageIn(usage);
    if (tokens === undefined || typeof id !== 'string') return;
    // Each of its blocks repeats the message's usage.
    const name = typeof model === 'string' ? model : '';
    const usd = this.#prices.costOf(name, tokens);
    if (this.#perMessage.size < MESSAGES_MAX || this.#perMessage.has(id))
      this.#perMessage.set(id, { fresh: freshOf(tokens), usd });
    if (typeof said.parent_tool_use_id === 'string') return;
    const held = contextTokens(usage);
    this.sees((100 * held) / windowBy({ model: name }, held).window);
  }

  #limit({ status, resetsAt }: Fields): void {
    this.isRateLimited = status === 'rejected';
    // Some versions count milliseconds.
    const seconds = numberOf(resetsAt, 1e14);
    if (seconds !== undefined) this.resetsAt = seconds > 1e11 ? seconds / 1000 : seconds;
  }

  #end(said: Fields): void {
    const text = typeof said.result === 'string' ? said.result : '';
    const subtype = typeof said.subtype === 'string' ? said.subtype : '';
    // A turn that ended at a limit of the user's is a turn.
    const isLimit = subtype.startsWith('error_max_');
    this.result = { text, isError: said.is_error === true && !isLimit };
    // Older versions say it in words alone.
    const [, until] = /\busage limit reached\|(\d{9,12})\b/.exec(text.slice(0, 1000)) ?? [];
    if (until !== undefined) this.#limit({ status: 'rejected', resetsAt: Number(until) });
    this.#usd = numberOf(said.total_cost_usd, 1e6);
    const used = usageIn(said.usage);
    if (used !== undefined) this.#total = freshOf(used);
  }
}

const numberOf = (value: unknown, max: number): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= max ? value : undefined;

const sumOf = (all: readonly number[]): number | undefined =>
  all.length === 0 ? undefined : all.reduce((total, one) => total + one, 0);

function usageIn(given: unknown): Tokens | undefined {
  const usage = fieldsIn(given);
  if (typeof usage.input_tokens !== 'number') return undefined;
  return {
    input: tokensOf(usage.input_tokens),
    output: tokensOf(usage.output_tokens),
    cacheRead: tokensOf(usage.cache_read_input_tokens),
    cacheWrite: tokensOf(usage.cache_creation_input_tokens),
    cacheHour: tokensOf(fieldsIn(usage.cache_creation).ephemeral_1h_input_tokens),
  };
}

/** What the model had not read before. */
const freshOf = (tokens: Tokens): number => tokenCount(tokens) - tokens.cacheRead;

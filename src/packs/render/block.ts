import type { RedactionCount, RedactionOptions } from '../../capture/redaction/index.ts';
import { sha256, sha256Hex } from '../../platform/sha256.ts';
import { contentOf, summed } from './content.ts';
import type { ReadFile } from './file.ts';
import type { KeptCounts } from './kept.ts';
import type { Candidate, Changes, Content, Lines, Reason } from './pack.ts';
import { CLOSING, openingOf } from './payload.ts';
import { suffixOf } from './source.ts';
import { loadCounter, type Tokenizer } from './tokens.ts';

export interface Item {
  candidate: Candidate;
  tokens: number;
  bytes: number;
  /** Of its block. */
  sha256: string;
  lines?: Lines & { to: number };
  redactions: RedactionCount;
  changes: Changes;
  /** It was taken behind one that did not fit. */
  isFilled?: true;
}

const CLOSING_BYTES = Buffer.from(CLOSING);
const LF_AND_CLOSING = Buffer.from(`\n${CLOSING}`);

export interface Block extends Item {
  parts: Buffer[];
}

export interface BlockOptions {
  tokenizer: Tokenizer;
  redaction: RedactionOptions;
  kept: KeptCounts;
}

/** Makes and counts blocks, with what earlier renders counted. */
export class BlockMaker {
  readonly #options: BlockOptions;
  readonly #read: ReadFile;
  readonly #rules: string;

  constructor(read: ReadFile, options: BlockOptions) {
    this.#options = options;
    this.#read = read;
    this.#rules = `${options.tokenizer} ${fingerprintOf(options.redaction)}`;
  }

  async blockOf(candidate: Candidate): Promise<Block | Reason> {
    const { kept, redaction } = this.#options;
    const raw = this.#bytesOf(candidate);
    if (typeof raw === 'string') return raw;
    const range = candidate.lines === undefined ? '' : suffixOf(candidate.lines);
    const how = `${this.#rules} ${range}${openingOf(candidate.attributes)}`;
    const name = kept.nameOf(how, raw);
    const known = kept.get(name);
    const isKnown = known?.isRaw === true && candidate.lines === undefined;
    const content = isKnown
      ? unchanged(raw)
      : contentOf(raw, candidate.lines, redaction, known?.secrets);
    if (typeof content === 'string') return content;
    const { lines, redactions, changes, isRaw, secrets } = content;
    const opening = openingOf({
      ...candidate.attributes,
      ...(lines && { lines: spelled(lines) }),
    });
    const tokens = known?.tokens ?? (await this.#counted(opening + content.text + CLOSING));
    if (known === undefined) kept.set(name, { tokens, isRaw, ...(!isRaw && { secrets }) });
    const body = isRaw ? raw : Buffer.from(content.text);
    const isLacking = isRaw && changes.isEnded === true;
    const parts = [Buffer.from(opening), body, isLacking ? LF_AND_CLOSING : CLOSING_BYTES];
    return {
      candidate,
      tokens,
      bytes: parts.reduce((sum, { length }) => sum + length, 0),
      sha256: sha256(...parts).toString('hex'),
      ...(lines && { lines }),
      redactions: summed([candidate.redactions ?? {}, redactions]),
      changes,
      parts,
    };
  }

  #bytesOf({ path, text = '', artifact, isFound = false }: Candidate): Buffer | Reason {
    if (path === undefined) return Buffer.from(text);
    const allowSensitive = artifact.options.allowSensitive === true;
    return this.#read(path, { allowSensitive, isFound });
  }

  async count(text: string): Promise<number> {
    const { kept } = this.#options;
    const name = kept.nameOf(this.#rules, Buffer.from(text));
    const known = kept.get(name);
    if (known !== undefined) return known.tokens;
    const tokens = await this.#counted(text);
    kept.set(name, { tokens, isRaw: true });
    return tokens;
  }

  async #counted(text: string): Promise<number> {
    const count = await loadCounter(this.#options.tokenizer);
    return count(text);
  }
}

const spelled = ({ from, to }: Lines & { to: number }): string =>
  from === to ? `${from}` : `${from}-${to}`;

/** Its text is not needed: the bytes are joined, and their count is known. */
function unchanged(raw: Buffer): Content {
  const isEnded = raw.length > 0 && raw.at(-1) !== LF;
  return {
    text: '',
    isRaw: true,
    secrets: [],
    redactions: {},
    changes: isEnded ? { isEnded } : {},
  };
}

const LF = 0x0a;

/** Patterns as text: JSON would lose them. */
const fingerprintOf = (redaction: RedactionOptions): string =>
  sha256Hex(
    JSON.stringify(redaction, (_, value) =>
      value instanceof RegExp ? String(value) : value instanceof Set ? [...value] : value,
    ),
  );

import { createHash } from 'node:crypto';
import type { RedactionCount, RedactionOptions } from '../capture/redaction/index.ts';
import { Ben10Error } from '../platform/errors.ts';
import { sha256, sha256Hex } from '../platform/sha256.ts';
import { estimateTokens } from '../projections/bounds.ts';
import { Budget } from './budget.ts';
import { contentOf } from './content.ts';
import { expand } from './expand.ts';
import { fileReader, type Ground, type ReadFile, sizeOf } from './file.ts';
import type { KeptCounts } from './kept.ts';
import type {
  Artifact,
  Candidate,
  Changes,
  Content,
  Kind,
  Lines,
  Pack,
  Policy,
  Reason,
} from './pack.ts';
import { CLOSING, headOfPayload, openingOf, TAIL_TOKENS_MAX, tailsOf } from './payload.ts';
import { denials } from './sensitive.ts';
import { suffixOf } from './source.ts';
import { loadCounter } from './tokens.ts';

export interface RenderOptions {
  packs: readonly Pack[];
  /** One for all of them. */
  policy: Policy;
  redaction: RedactionOptions;
  /** Items whose blocks have these digests come first, in this order, so that a prompt cache holds. */
  stableWith?: readonly string[];
  /** Counts what is behind the cut, too. */
  isExact?: boolean;
  kept?: KeptCounts;
}

/** What is in the payload. */
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
  isFilled: boolean;
}

export interface Excluded {
  candidate: Candidate;
  reason: Reason;
  /** Of what would have been in it. */
  tokens?: number;
  isEstimate?: true;
}

export interface Rendered {
  policy: Policy;
  /** In the payload's order. */
  included: Item[];
  excluded: Excluded[];
  /** How many files each collection had before `maxFiles`. */
  found: ReadonlyMap<Artifact, number>;
  redactions: RedactionCount;
  tokens: number;
  bytes: number;
  renderHash: string;
  payloadHash: string;
  /** Cut between items; empty where `fill: fail` left something out. */
  payload: Buffer[];
}

const CLOSING_BYTES = Buffer.from(CLOSING);
const LF_AND_CLOSING = Buffer.from(`\n${CLOSING}`);

interface Block extends Item {
  parts: Buffer[];
}

const PAYLOAD_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A pure function of packs, policy and the bytes of the files: no time, place, order of a listing or user has a part in it.
 * @throws Ben10Error LIMIT_EXCEEDED
 */
export async function render(ground: Ground, options: RenderOptions): Promise<Rendered> {
  const { packs, policy } = options;
  const deniedBy = denials(ground);
  const { ranked, left, found } = await expand(ground, deniedBy, options.redaction, packs);
  const excluded: Excluded[] = [...left];
  const maker = new BlockMaker(fileReader(ground, deniedBy), options);
  const head = headOfPayload(packs.flatMap(({ name }) => name ?? []));
  const headTokens = await maker.count(head);
  const limit = policy.budgetTokens ?? Number.POSITIVE_INFINITY;
  const budget = new Budget(limit - headTokens - TAIL_TOKENS_MAX, policy.fill);
  const taken: Block[] = [];
  let bytes = 0;
  for (const candidate of ranked) {
    if (budget.isClosed && options.isExact !== true) {
      excluded.push({ candidate, reason: 'over_budget', ...estimated(ground, candidate) });
      continue;
    }
    const block = await maker.blockOf(candidate);
    if (typeof block === 'string') {
      excluded.push({ candidate, reason: block });
      continue;
    }
    const verdict = budget.take(block.tokens);
    if (verdict === 'taken' || verdict === 'filled') {
      taken.push({ ...block, isFilled: verdict === 'filled' });
      bytes += block.bytes;
      if (bytes > PAYLOAD_BYTES_MAX) throw tooMuch();
    } else excluded.push({ candidate, reason: verdict, tokens: block.tokens });
  }
  const blocks = laidOut(taken, policy.layout, options.stableWith ?? []);
  const itemTokens = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = Math.min(TAIL_TOKENS_MAX, limit - headTokens - itemTokens);
  const tail = await maker.tailOf(excluded, blocks.length, room);
  const isRefused = policy.fill === 'fail' && excluded.some(({ reason }) => isOfBudget(reason));
  const parts = [Buffer.from(head), ...blocks.flatMap((one) => one.parts), Buffer.from(tail.text)];
  const payload = isRefused ? [] : parts;
  return {
    policy,
    included: blocks.map(({ parts: _, ...item }) => item),
    excluded,
    found,
    redactions: summed(blocks.map((one) => one.redactions)),
    tokens: headTokens + itemTokens + tail.tokens,
    bytes: parts.reduce((sum, { length }) => sum + length, 0),
    renderHash: renderHashOf(policy, blocks),
    payloadHash: hashOf(payload),
    payload,
  };
}

const isOfBudget = (reason: Reason): boolean => reason === 'over_budget' || reason === 'too_large';

const tooMuch = (): Ben10Error =>
  new Ben10Error('LIMIT_EXCEEDED', `the payload has over ${PAYLOAD_BYTES_MAX} bytes`, {
    next: 'Give it a budget, or fewer files.',
  });

function estimated(ground: Ground, { path, text = '' }: Candidate) {
  const size = path === undefined ? Buffer.byteLength(text) : sizeOf(ground, path);
  return { tokens: estimateTokens(size), isEstimate: true as const };
}

/** Makes and counts blocks, with what earlier renders counted. */
class BlockMaker {
  readonly #options: RenderOptions;
  readonly #read: ReadFile;
  /** What every kept count depends on. */
  readonly #rules: string;

  constructor(read: ReadFile, options: RenderOptions) {
    this.#options = options;
    this.#read = read;
    this.#rules = `${options.policy.tokenizer} ${fingerprintOf(options.redaction)}`;
  }

  async blockOf(candidate: Candidate): Promise<Block | Reason> {
    const { kept, redaction } = this.#options;
    const raw = this.#bytesOf(candidate);
    if (typeof raw === 'string') return raw;
    const range = candidate.lines === undefined ? '' : suffixOf(candidate.lines);
    const how = `${this.#rules} ${range}${openingOf(candidate.attributes)}`;
    const name = kept?.nameOf(how, raw);
    const known = name === undefined ? undefined : kept?.get(name);
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
    if (name !== undefined && known === undefined)
      kept?.set(name, { tokens, isRaw, ...(!isRaw && { secrets }) });
    const body = isRaw ? raw : Buffer.from(content.text);
    const isLacking = isRaw && changes.isEnded === true;
    const parts = [Buffer.from(opening), body, isLacking ? LF_AND_CLOSING : CLOSING_BYTES];
    return {
      candidate,
      tokens,
      bytes: parts.reduce((sum, { length }) => sum + length, 0),
      sha256: sha256(...parts).toString('hex'),
      ...(lines && { lines }),
      redactions,
      changes,
      isFilled: false,
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
    const name = kept?.nameOf(this.#rules, Buffer.from(text));
    const known = name === undefined ? undefined : kept?.get(name);
    const tokens = known?.tokens ?? (await this.#counted(text));
    if (name !== undefined && known === undefined) kept?.set(name, { tokens, isRaw: true });
    return tokens;
  }

  async #counted(text: string): Promise<number> {
    const count = await loadCounter(this.#options.policy.tokenizer);
    return count(text);
  }

  /** The last lines that fit. @throws Ben10Error LIMIT_EXCEEDED if none do */
  async tailOf(excluded: readonly Excluded[], included: number, room: number) {
    // What is a duplicate is there.
    const left = excluded
      .filter(({ reason }) => reason !== 'duplicate')
      .map(({ candidate, reason }) => ({ label: candidate.label, reason }));
    for (const text of tailsOf(left, included + left.length)) {
      const tokens = await this.count(text);
      if (tokens <= room) return { text, tokens };
    }
    throw new Ben10Error('LIMIT_EXCEEDED', 'the budget is smaller than an empty payload', {
      next: 'Give a budget of at least 200 tokens.',
    });
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

/** What changes most comes last. */
const STABLE: Readonly<Record<Kind, number>> = {
  text: 0,
  md: 1,
  file: 2,
  range: 2,
  md_dir: 3,
  glob: 3,
};

function laidOut(taken: readonly Block[], layout: Policy['layout'], before: readonly string[]) {
  const places = new Map(before.map((digest, place) => [digest, place]));
  const placeOf = (block: Block): number => places.get(block.sha256) ?? places.size;
  const classOf = ({ candidate: { artifact, pack } }: Block): number =>
    layout === 'stable' ? STABLE[artifact.kind] : pack;
  return taken.toSorted((a, b) => placeOf(a) - placeOf(b) || classOf(a) - classOf(b));
}

function renderHashOf(policy: Policy, blocks: readonly Block[]): string {
  const { budgetTokens, fill, layout, tokenizer } = policy;
  const lines = ['ben10/render/1', JSON.stringify({ budgetTokens, fill, layout, tokenizer })];
  for (const { sha256: digest, candidate } of blocks)
    lines.push(`${digest} ${candidate.artifact.kind} ${candidate.label}`);
  return sha256Hex(`${lines.join('\n')}\n`);
}

function hashOf(parts: readonly Buffer[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest('hex');
}

function summed(counts: readonly RedactionCount[]): RedactionCount {
  const sum: RedactionCount = {};
  for (const one of counts)
    for (const [rule, count] of Object.entries(one)) sum[rule] = (sum[rule] ?? 0) + count;
  return sum;
}

import { createHash } from 'node:crypto';
import type { RedactionCount, RedactionOptions } from '../../capture/redaction/index.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { estimateTokens } from '../../projections/bounds.ts';
import { type Block, BlockMaker, type Item } from './block.ts';
import { budgetOf } from './budget.ts';
import { summed } from './content.ts';
import { expand } from './expand.ts';
import { fileReader, type Ground, type Past, sizeOf } from './file.ts';
import { KeptCounts } from './kept.ts';
import type { Artifact, Candidate, Kind, Pack, Policy, Reason, Sources } from './pack.ts';
import { headOfPayload, TAIL_TOKENS_MAX, tailsOf } from './payload.ts';
import { denials } from './sensitive.ts';

export interface RenderOptions {
  packs: readonly Pack[];
  policy: Policy;
  redaction: RedactionOptions;
  /** Needed if there are artifacts of `git`, `cmd` or `journal`. */
  sources?: Sources;
  /** Renders what was there then. */
  past?: Past | undefined;
  /** Items whose blocks have these digests come first, in this order, so that a prompt cache holds. */
  stableWith?: readonly string[];
  isExact?: boolean;
  /** Counts of earlier renders; the caller stores it if it changed. */
  kept?: KeptCounts;
}

export interface Excluded {
  candidate: Candidate;
  reason: Reason;
  /** Of what would have been in it. */
  tokens?: number;
  isEstimate?: true;
}

interface Frame {
  tokens: number;
  bytes: number;
}

export interface Rendered {
  policy: Policy;
  included: Item[];
  excluded: Excluded[];
  /** How many files each collection had before `maxFiles`. */
  found: ReadonlyMap<Artifact, number>;
  redactions: RedactionCount;
  tokens: number;
  bytes: number;
  renderHash: string;
  payloadHash: string;
  head: Frame;
  tail: Frame;
  /** Empty where `fill: fail` left something out. */
  payload: Buffer[];
}

const PAYLOAD_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A pure function of packs, policy and the bytes of the files: no time, place, order of a listing or user has a part in it.
 * @throws Ben10Error LIMIT_EXCEEDED
 */
export async function render(ground: Ground, options: RenderOptions): Promise<Rendered> {
  const { packs, policy, past } = options;
  const deniedBy = denials(ground);
  const today = fileReader(ground, deniedBy);
  const { ranked, left, found } = await expand(ground, deniedBy, options, packs);
  const excluded: Excluded[] = [...left];
  const maker = new BlockMaker(past?.read(today) ?? today, {
    tokenizer: policy.tokenizer,
    redaction: options.redaction,
    kept: options.kept ?? new KeptCounts(Buffer.alloc(0)),
  });
  const head = headOfPayload(packs.flatMap(({ name }) => name ?? []));
  const headTokens = await maker.count(head);
  const limit = policy.budgetTokens ?? Number.POSITIVE_INFINITY;
  const budget = budgetOf(limit - headTokens - TAIL_TOKENS_MAX, policy.fill);
  const taken: Block[] = [];
  let bytes = 0;
  for (const candidate of ranked) {
    if (budget.isClosed() && options.isExact !== true) {
      excluded.push({ candidate, reason: 'over_budget', ...estimated(ground, past, candidate) });
      continue;
    }
    const block = await maker.blockOf(candidate);
    if (typeof block === 'string') {
      excluded.push({ candidate, reason: block });
      continue;
    }
    const verdict = budget.take(block.tokens);
    if (verdict === 'taken' || verdict === 'filled') {
      taken.push(verdict === 'filled' ? { ...block, isFilled: true } : block);
      bytes += block.bytes;
      if (bytes > PAYLOAD_BYTES_MAX) throw tooMuch();
    } else excluded.push({ candidate, reason: verdict, tokens: block.tokens });
  }
  const blocks = laidOut(taken, policy.layout, options.stableWith ?? []);
  const itemTokens = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const room = Math.min(TAIL_TOKENS_MAX, limit - headTokens - itemTokens);
  const tail = await tailOf(maker, excluded, blocks.length, room);
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
    head: { tokens: headTokens, bytes: Buffer.byteLength(head) },
    tail: { tokens: tail.tokens, bytes: Buffer.byteLength(tail.text) },
    payload,
  };
}

const isOfBudget = (reason: Reason): boolean => reason === 'over_budget' || reason === 'too_large';

const tooMuch = (): Ben10Error =>
  new Ben10Error('LIMIT_EXCEEDED', `the payload has over ${PAYLOAD_BYTES_MAX} bytes`, {
    next: 'Give it a budget, or fewer files.',
  });

function estimated(ground: Ground, past: Past | undefined, { path, text = '' }: Candidate) {
  const size =
    path === undefined ? Buffer.byteLength(text) : (past?.sizeOf(path) ?? sizeOf(ground, path));
  return { tokens: estimateTokens(size), isEstimate: true as const };
}

/** The last lines that fit. @throws Ben10Error LIMIT_EXCEEDED if none do */
async function tailOf(
  maker: BlockMaker,
  excluded: readonly Excluded[],
  included: number,
  room: number,
): Promise<{ text: string; tokens: number }> {
  // What is a duplicate is there.
  const left = excluded
    .filter(({ reason }) => reason !== 'duplicate')
    .map(({ candidate, reason }) => ({ label: candidate.label, reason }));
  for (const text of tailsOf(left, included + left.length)) {
    const tokens = await maker.count(text);
    if (tokens <= room) return { text, tokens };
  }
  throw new Ben10Error('LIMIT_EXCEEDED', 'the budget is smaller than an empty payload', {
    next: 'Give a budget of at least 200 tokens.',
  });
}

/** What changes most comes last. */
const STABLE: readonly (readonly Kind[])[] = [
  ...([['text'], ['md'], ['file', 'range'], ['md_dir', 'glob'], ['cmd'], ['journal']] as const),
  ['git'],
];

function laidOut(taken: readonly Block[], layout: Policy['layout'], before: readonly string[]) {
  const places = new Map(before.map((digest, place) => [digest, place]));
  const placeOf = (block: Block): number => places.get(block.sha256) ?? places.size;
  const classOf = ({ candidate: { artifact, pack } }: Block): number =>
    layout === 'stable' ? STABLE.findIndex((kinds) => kinds.includes(artifact.kind)) : pack;
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

import { type Found, mergeFound } from '../merge.ts';
import { isAllowed, type OwnRule, type RedactionOptions } from '../options.ts';
import { MARKER, type NamedSpan, type Rule, type Span } from '../rule.ts';
import { RULE_COUNT, ruleAt, ruleIds } from '../table/rules.ts';
import type { Candidates, Prefilter } from './prefilter.ts';
import {
  mayHaveColours,
  mayHaveEscapes,
  mayHavePrefix,
  type View,
  viewsOf,
  withoutColours,
  withoutPrefixes,
} from './view.ts';

let prefilter: Prefilter;
interface Lead {
  keyword: string;
  /** Each with its place in the table. */
  rules: readonly { rule: Rule; rank: number }[];
  /** How far away on other lines its secrets stand. */
  lines: number;
}
/** By the number of a keyword. */
let leads: (Lead | undefined)[] = [];

/** The gate has made one already. */
export function usePrefilter(made: Prefilter): void {
  if (made === prefilter) return;
  prefilter = made;
  leads = [];
}

function leadOf(index: number): Lead {
  let lead = leads[index];
  if (lead === undefined) {
    const { text: keyword, ranks } = prefilter.keyword(index);
    const rules = ranks.map((rank) => ({ rule: ruleAt(rank), rank }));
    const lines = Math.max(...rules.map(({ rule }) => rule.lines ?? 0));
    lead = { keyword, rules, lines };
    leads[index] = lead;
  }
  return lead;
}

const BEFORE_CHARS = 64;
const REACH_CHARS = 900;
/** How far a pattern sees that comes to the end of what it was shown. */
const FAR_CHARS = 64 * 1024;

/** How far around a keyword escapes and prefixes of lines are looked at, at least. */
const WINDOW = { before: 512, behind: 6 * 1024 };

/** Every secret of a text, in order, without overlaps and without what stands inside of markers. */
export function findAll(text: string, options: RedactionOptions): Found[] {
  const found: Found[] = [];
  for (const own of options.own)
    for (const span of everywhere(own, text)) found.push({ ...span, rank: RULE_COUNT });
  const candidates = prefilter.candidates(text);
  findIn({ text, original: (span) => span }, candidates, options, found);
  for (const { start, end } of windowsOf(text, candidates))
    findInWindow(text, start, end, options, found);
  const kept = found.filter(
    ({ id, start, end }) =>
      (options.only === undefined || options.only === id) &&
      end > start &&
      !isAllowed(text.slice(start, end), options),
  );
  return kept.length === 0 ? kept : mergeFound(kept, markersOf(text, options));
}

/** Where the text is looked at without escapes and prefixes of lines, too. A keyword may be cut by colours; other escapes leave it whole. */
function windowsOf(text: string, candidates: Candidates): Span[] {
  if (mayHaveColours(text))
    return candidates.length > 0 || prefilter.candidates(withoutColours(text)).length > 0
      ? [{ start: 0, end: text.length }]
      : [];
  const windows: Span[] = [];
  for (let index = 0; index < candidates.length; index += 2) {
    const at = candidates[index]!;
    if (!mayBeEscaped(text, at) && !goesOverLines(text, at, candidates[index + 1]!)) continue;
    const { lines } = leadOf(candidates[index + 1]!);
    const before = Math.max(WINDOW.before, lines);
    const behind = Math.max(WINDOW.behind, lines);
    const last = windows.at(-1);
    if (last !== undefined && at - before <= last.end) last.end = Math.max(last.end, at + behind);
    else windows.push({ start: Math.max(0, at - before), end: at + behind });
  }
  return windows;
}

function findInWindow(
  text: string,
  from: number,
  to: number,
  options: RedactionOptions,
  found: Found[],
): void {
  const shifted = ({ start, end }: Span): Span => ({ start: start + from, end: end + from });
  const [itself, ...views] = viewsOf({ text: text.slice(from, to), original: shifted });
  for (const view of [itself!, ...views]) {
    const candidates = prefilter.candidates(view.text);
    if (view !== itself) findIn(view, changed(view, candidates, text), options, found);
    if (!chosen(candidates, (at, keyword) => goesOverLines(view.text, at, keyword)).length)
      continue;
    const plain = withoutPrefixes(view);
    if (plain === undefined) continue;
    const across = chosen(prefilter.candidates(plain.text), (at, keyword) =>
      isAcross(plain.text, at, keyword),
    );
    findIn(plain, across, options, found);
  }
}

function chosen(
  candidates: Candidates,
  isOne: (at: number, keyword: number) => boolean,
): Candidates {
  const some: Candidates = [];
  for (let index = 0; index < candidates.length; index += 2)
    if (isOne(candidates[index]!, candidates[index + 1]!))
      some.push(candidates[index]!, candidates[index + 1]!);
  return some;
}

/** How much around a candidate is the same before the rules would find the same again. */
const SAME = { before: 128, behind: 1024 };

/** Those of a view around which it reads otherwise than the text itself. */
const changed = ({ text: seen, original }: View, candidates: Candidates, text: string) => {
  const around = (where: string, at: number) =>
    where.slice(Math.max(0, at - SAME.before), at + SAME.behind);
  return chosen(
    candidates,
    (at) => around(seen, at) !== around(text, original({ start: at, end: at + 1 }).start),
  );
};

/** Whether there is an escape, an entity or a percent-encoded sign around a keyword. */
const mayBeEscaped = (text: string, at: number): boolean =>
  mayHaveEscapes(text.slice(Math.max(0, at - 48), at + 96));

/** Whether a secret stands on another line than what tells of it: a key, a block, a name whose value is on the next line. */
const isAcross = (text: string, at: number, keyword: number): boolean =>
  leadOf(keyword).lines > 0 || NAME_ENDS_LINE.test(text.slice(at, at + 90));
/** The same of lines that may begin with what programs print. */
const goesOverLines = (text: string, at: number, keyword: number): boolean =>
  isAcross(text, at, keyword) && mayHavePrefix(text, at);
const NAME_ENDS_LINE =
  /^[\w.-]{1,64}["']?(?:,?|[ \t]{0,8}[:=][ \t]{0,8}(?:[|>\\][-+]?)?)[ \t]{0,4}\r?\n/;

/** What begins so far before the end of a found value ends in it, too, as far as anybody's secret is known. */
const COVERED_CHARS = 512;
const NESTS: ReadonlySet<Rule['kind']> = new Set(['label', 'part', 'vendor']);

function findIn(
  { text, original }: View,
  candidates: Candidates,
  options: RedactionOptions,
  found: Found[],
): void {
  // A name deep inside of its own value, or a tag inside of a block, adds nothing: a text of nothing else would take ages.
  const covered = new Map<number, Span>();
  for (let index = 0; index < candidates.length; index += 2) {
    const at = candidates[index]!;
    const { keyword, rules } = leadOf(candidates[index + 1]!);
    for (const { rule, rank } of rules) {
      if (!options.builtin && rule.id !== 'PRIVATE') continue;
      const before = NESTS.has(rule.kind) || rule.id === 'PRIVATE' ? covered.get(rank) : undefined;
      if (before && at >= before.start && at < before.end - COVERED_CHARS) continue;
      for (const span of spansAt(rule, text, at, keyword)) {
        if (isAllowed(text.slice(span.start, span.end), options)) continue;
        found.push({ ...original(span), id: span.id, rank });
        const isKept = options.only === undefined || options.only === span.id;
        if (isKept && span.end > (covered.get(rank)?.end ?? 0)) covered.set(rank, span);
      }
    }
  }
}

function spansAt(rule: Rule, text: string, at: number, keyword: string): Iterable<NamedSpan> {
  if (rule.find !== undefined) return rule.find(text, at, keyword);
  const { pattern, before = BEFORE_CHARS, reach = REACH_CHARS } = rule;
  const from = Math.max(0, at - before);
  let match = matchIn(pattern!, text.slice(from, at + reach), at - from);
  // It may go on behind what it was shown.
  if (match !== null && from + match.end >= at + reach - 8 && text.length > at + reach)
    match = matchIn(pattern!, text.slice(from, at + FAR_CHARS), at - from);
  if (match === null) return [];
  const secret = text.slice(from + match.start, from + match.secretEnd);
  if (rule.test?.(secret) === false) return [];
  return [{ start: from + match.start, end: from + match.secretEnd, id: rule.id }];
}

function matchIn(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return null;
  const { secret, a, b } = match.indices?.groups ?? {};
  const [start, secretEnd] = secret ?? a ?? b ?? [match.index, match.index + match[0].length];
  return { start, secretEnd, end: match.index + match[0].length };
}

/** Markers that one of the rules wrote before. Nothing inside one is a secret. */
function markersOf(text: string, { own }: RedactionOptions): Span[] {
  if (!text.includes('[REDACTED:')) return [];
  const ids = ruleIds();
  const isKnown = (id: string) =>
    ids.includes(id) || own.some((rule) => rule.id === id) || id.startsWith('TOO-');
  return [...text.matchAll(MARKER)]
    .filter((match) => isKnown(match[1]!))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

function* everywhere({ id, pattern }: OwnRule, text: string): Generator<NamedSpan> {
  pattern.lastIndex = 0;
  try {
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      if (match[0] === '') pattern.lastIndex += 1;
      else yield { start: match.index, end: match.index + match[0].length, id };
    }
  } catch {
    // V8's stack of backtracking is full: nothing unsearched is kept.
    yield { start: 0, end: text.length, id };
  }
}

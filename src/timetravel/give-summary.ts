import type { ContextState } from '../projections/folds/context.ts';
import { about, BYTES_PER_TOKEN, bullet, bytesOf, headBytes, titled } from './give.ts';
import { type Line, SECTIONS, type SectionKey, sectionsOf } from './sections.ts';
import { statedOnce } from './stated-once.ts';
import { count } from './text.ts';

const WIDTHS_SUMMARY = { prose: 500, detail: 240 };

/** Most important first: what is lost first, and hardest to find again. */
const WORTH: Record<SectionKey, number> = {
  rules: 100,
  tools: 95,
  corrections: 65,
  open: 90,
  failed: 90,
  tasks: 80,
  asked: 70,
  changed: 60,
  decisions: 50,
  subagents: 40,
  commands: 30,
  summary: 25,
  said: 20,
  done: 10,
  read: 5,
  calls: 2,
  // Repeats `changed`.
  changeLog: 0,
};
/** Each older item of a section is worth this much of the next newer one. */
const AGING = 0.9;
/** Shorter pieces say nothing. */
const REST_BYTES_MIN = 24;

/** Names of one item and of several. */
const NAMES: Record<SectionKey, readonly [one: string, many: string]> = {
  asked: ['prompt', 'prompts'],
  rules: ['rule', 'rules'],
  tools: ['word on tools', 'words on tools'],
  corrections: ['correction', 'corrections'],
  decisions: ['decision', 'decisions'],
  summary: ['line of the last summary', 'lines of the last summary'],
  said: ['answer', 'answers'],
  changed: ['file changed', 'files changed'],
  read: ['file read', 'files read'],
  changeLog: ['change', 'changes'],
  commands: ['command', 'commands'],
  calls: ['other call', 'other calls'],
  subagents: ['sub-agent', 'sub-agents'],
  done: ['task done', 'tasks done'],
  tasks: ['task open', 'tasks open'],
  open: ['call without an outcome', 'calls without an outcome'],
  failed: ['failure', 'failures'],
};
/** Share of the room for the list of what was left out. */
const LEFT_OUT_SHARE = 0.15;
const CUT = '…';
/** Steps of the search for the best size. */
const TRIES = 12;

interface Candidate {
  key: SectionKey;
  index: number;
  line: string;
  worth: number;
}

/** The most important parts of a state within a token budget, and how much was left out. */
export function giveSummary(state: ContextState, tokens: number): string {
  const sections = statedOnce(sectionsOf(state, WIDTHS_SUMMARY));
  const candidates = SECTIONS.filter((key) => WORTH[key] > 0).flatMap((key) =>
    candidatesOf(key, lastOfSame(sections[key])),
  );
  candidates.sort((a, b) => b.worth - a.worth);
  const bytes = tokens * BYTES_PER_TOKEN;
  const head = headBytes(about(state), bytes);
  const end = (taken: readonly Candidate[]) =>
    endOf(candidates, taken, state, bytes * LEFT_OUT_SHARE);
  const room = bytes - bytesOf(head);
  // The more is taken, the shorter the list of what is missing: search for the size that fits.
  let taken: Candidate[] = [];
  let [least, most] = [0, 2 * room];
  for (let n = 0; n < TRIES && least < room; n += 1) {
    const given = (least + most) / 2;
    const tried = chosen(candidates, given);
    if (sizeOf(tried) + bytesOf(end(tried)) <= room) [least, taken] = [given, tried];
    else most = given;
  }
  const text = [head, ...SECTIONS.flatMap((key) => sectionText(key, taken))].join('\n');
  return headBytes(`${text}${end(taken)}`, bytes);
}

function chosen(candidates: readonly Candidate[], bytes: number): Candidate[] {
  let room = bytes;
  const taken: Candidate[] = [];
  const titles = new Set<SectionKey>();
  const left: Candidate[] = [];
  const cost = (one: Candidate) => costOf(one, titles.has(one.key));
  const take = (one: Candidate) => {
    room -= cost(one);
    titles.add(one.key);
    taken.push(one);
  };
  for (const one of candidates) cost(one) <= room ? take(one) : left.push(one);
  // The rest of the room goes to the start of the best that did not fit.
  for (const one of left) {
    const most = Math.floor(room - cost({ ...one, line: CUT }));
    if (most >= REST_BYTES_MIN) take({ ...one, line: `${headBytes(one.line, most)}${CUT}` });
  }
  return taken;
}

const costOf = ({ key, line }: Candidate, hasTitle: boolean): number =>
  bytesOf(line) + 1 + (hasTitle ? 0 : bytesOf(titled(key)) + 2);

function sizeOf(taken: readonly Candidate[]): number {
  const titles = new Set<SectionKey>();
  return taken.reduce((sum, one) => {
    const cost = costOf(one, titles.has(one.key));
    titles.add(one.key);
    return sum + cost;
  }, 0);
}

/** What was left out, most important first, and how to see what was cut; empty when complete. */
function endOf(
  candidates: readonly Candidate[],
  taken: readonly Candidate[],
  { older }: ContextState,
  bytesMax: number,
): string {
  const counts = SECTIONS.map((key): [SectionKey, number] => {
    const there = candidates.filter((one) => one.key === key).length;
    const told = taken.filter((one) => one.key === key).length;
    const gone = Object.hasOwn(older, key) ? older[key as keyof typeof older] : 0;
    return [key, there + gone - told];
  })
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => WORTH[b] - WORTH[a]);
  const isCut = taken.some(({ line }) => line.includes(CUT));
  const cut = isCut ? ` Cut (${CUT}): ben10 show N --full.` : '';
  if (counts.length === 0) return cut === '' ? '' : `\n\n${cut.trim()}`;
  const named: string[] = [];
  let rest = 0;
  let bytes = 0;
  for (const [key, n] of counts) {
    const text = count(n, ...NAMES[key]);
    bytes += bytesOf(text) + 2;
    if (bytes > bytesMax) rest += n;
    else named.push(text);
  }
  if (rest > 0) named.push(named.length === 0 ? count(rest, 'line') : `${rest} more lines`);
  return `\n\nLeft out: ${named.join(', ')}; a full restore has them.${cut}`;
}

/** Repeated runs are shown once, by the last. */
const lastOfSame = (lines: readonly Line[]): Line[] =>
  lines.filter(
    ({ same }, index) =>
      same === undefined || lines.findLastIndex((one) => one.same === same) === index,
  );

const candidatesOf = (key: SectionKey, lines: readonly Line[]): Candidate[] =>
  lines.map((line, index) => ({
    key,
    index,
    line: bullet(line),
    worth: WORTH[key] * AGING ** (lines.length - 1 - index),
  }));

function sectionText(key: SectionKey, taken: readonly Candidate[]): string[] {
  const own = taken.filter((one) => one.key === key).sort((a, b) => a.index - b.index);
  return own.length === 0 ? [] : ['', titled(key), ...own.map((one) => one.line)];
}

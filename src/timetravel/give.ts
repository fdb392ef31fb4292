import type { ContextState } from '../projections/folds/context.ts';
import { cleanText } from '../projections/safe-text.ts';
import {
  type Line,
  SECTIONS,
  type SectionKey,
  sectionsOf,
  type TextWidths,
  TITLES,
} from './sections.ts';
import { count, shown } from './text.ts';

/** As `estimateTokens` counts them. */
const BYTES_PER_TOKEN = 3.1;
const bytesOf = (text: string): number => Buffer.byteLength(text);

const WIDTHS_FULL: TextWidths = { prose: 4_000, detail: 1_000, wholeFiles: true };
const WIDTHS_SUMMARY = { prose: 500, detail: 240 };

/** In the whole, what was said stands at the end, in the order in which it was said. */
const FULL: readonly SectionKey[] = [
  'rules',
  'tools',
  'corrections',
  'tasks',
  'open',
  'failed',
  'decisions',
  'changed',
  'read',
  'changeLog',
  'done',
  'commands',
  'calls',
  'subagents',
  'summary',
];

/** What can be asked for alone, and the sections that it is told in; messages belong to `conversation`. */
export const RESTORE_PARTS = {
  conversation: ['subagents', 'summary'],
  files: ['changed', 'read', 'changeLog'],
  tools: ['open', 'failed', 'commands', 'calls'],
  tasks: ['tasks', 'done'],
  preferences: ['rules', 'tools', 'corrections'],
  decisions: ['decisions'],
} as const satisfies Record<string, readonly SectionKey[]>;
export type RestorePart = keyof typeof RESTORE_PARTS;

const ALL_PARTS = Object.keys(RESTORE_PARTS) as RestorePart[];

/** The whole state, or some parts of it, as pages of at most so many tokens. */
export function giveFull(
  state: ContextState,
  tokensPerPage: number,
  parts: readonly RestorePart[] = ALL_PARTS,
): string[] {
  const sections = sectionsOf(state, WIDTHS_FULL);
  const wanted = new Set<SectionKey>(parts.flatMap((part) => RESTORE_PARTS[part]));
  const lines = [about(state)];
  for (const key of FULL.filter((one) => wanted.has(one))) {
    if (sections[key].length > 0) lines.push('', titled(key), ...sections[key].map(bullet));
  }
  if (parts.includes('conversation') && state.conversation.messages.length > 0)
    lines.push('', 'Conversation:', ...conversation(state));
  if (lines.length === 1) lines.push('', `Nothing was recorded of: ${parts.join(', ')}.`);
  return paged(lines, tokensPerPage * BYTES_PER_TOKEN);
}

function conversation({ conversation }: ContextState): string[] {
  const { messages, messageCount } = conversation;
  const older = messageCount - messages.length;
  const lines = older > 0 ? [`(${count(older, 'older message')}: see the events)`] : [];
  for (const { seq, role, content, metadata } of messages) {
    const [first = '', ...rest] = cleanText(content).split('\n');
    lines.push(`@${seq} ${role}: ${first}`, ...rest.map((line) => `  ${line}`));
    for (const call of metadata.toolCalls) lines.push(`  → ${shown(call, 200)}`);
  }
  return lines;
}

const about = ({ directory, conversation, tools, files }: ContextState): string => {
  const where = directory === null ? '' : `In ${shown(directory, 400)}: `;
  const said = count(conversation.messageCount, 'message');
  const ran = `${count(tools.total, 'tool call')} (${tools.failures} failed)`;
  return `${where}${said}, ${ran}, ${count(Object.keys(files.files).length, 'file')}.`;
};

const titled = (key: SectionKey): string => `${TITLES[key]}:`;
const bullet = ({ seq, text }: Line): string => `@${seq} ${text}`;

function paged(lines: readonly string[], bytesMax: number): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let bytes = 0;
  for (const line of lines.flatMap((one) => chopped(one, bytesMax - 1))) {
    const more = bytesOf(line) + 1;
    if (bytes + more > bytesMax && page.length > 0) {
      pages.push(page.join('\n'));
      page = [];
      bytes = 0;
    }
    page.push(line);
    bytes += more;
  }
  return [...pages, page.join('\n')];
}

/** A line that is longer than a page goes on on the next. */
function chopped(line: string, bytesMax: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (bytesOf(rest) > bytesMax) {
    const part = headBytes(rest, bytesMax);
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return [...parts, rest];
}

/** The start of a text that takes at most so many bytes of UTF-8; never half a character. */
function headBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.floor(bytesMax)));
  return text.slice(0, read);
}

/** What is lost first when a session ends, and hardest to find again, comes first. */
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
  // Tells again what `changed` sums up.
  changeLog: 0,
};
/** By how much an item is worth less than the next newer one of its kind. */
const AGING = 0.9;
/** A stretch shorter than this says nothing. */
const REST_BYTES_MIN = 24;

interface Candidate {
  key: SectionKey;
  index: number;
  line: string;
  worth: number;
}

/** What matters most of a state, in at most so many tokens. */
export function giveSummary(state: ContextState, tokens: number): string {
  const sections = sectionsOf(state, WIDTHS_SUMMARY);
  const candidates = SECTIONS.filter((key) => WORTH[key] > 0).flatMap((key) =>
    candidatesOf(key, lastOfSame(sections[key])),
  );
  candidates.sort((a, b) => b.worth - a.worth);
  const head = headBytes(about(state), tokens * BYTES_PER_TOKEN);
  let room = tokens * BYTES_PER_TOKEN - bytesOf(head);
  const taken: Candidate[] = [];
  const titles = new Set<SectionKey>();
  const left: Candidate[] = [];
  const costOf = ({ key, line }: Candidate) =>
    bytesOf(line) + 1 + (titles.has(key) ? 0 : bytesOf(titled(key)) + 2);
  const take = (one: Candidate) => {
    room -= costOf(one);
    titles.add(one.key);
    taken.push(one);
  };
  for (const one of candidates) costOf(one) <= room ? take(one) : left.push(one);
  // What is left of the budget goes to the start of the best that did not fit.
  for (const one of left) {
    const bytes = Math.floor(room - costOf({ ...one, line: '…' }));
    if (bytes >= REST_BYTES_MIN) take({ ...one, line: `${headBytes(one.line, bytes)}…` });
  }
  return [head, ...SECTIONS.flatMap((key) => sectionText(key, taken))].join('\n');
}

/** What was done again in the same way is told once, by the last time. */
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

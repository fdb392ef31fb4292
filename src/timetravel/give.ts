import type { ContextState } from '../projections/folds/context.ts';
import { cleanText } from '../projections/safe-text.ts';
import { type Line, type SectionKey, sectionsOf, type TextWidths, TITLES } from './sections.ts';
import { count, shown } from './text.ts';

/** Messages are given whole. */
const WIDTHS_FULL: TextWidths = {
  prose: Number.POSITIVE_INFINITY,
  detail: 1_000,
  wholeFiles: true,
};

/** The order of a full restore; the conversation comes last. */
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

/** Parts that can be requested alone, with their sections; `conversation` also has the messages. */
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

interface FullOptions {
  session: string;
  tokensPerPage: number;
  parts?: readonly RestorePart[] | undefined;
}

/** The whole state, or some parts, in pages of at most so many tokens. */
export function giveFull(state: ContextState, options: FullOptions): string[] {
  const { session, tokensPerPage, parts = ALL_PARTS } = options;
  const sections = sectionsOf(state, WIDTHS_FULL);
  const older = olderOf(state, session);
  const wanted = new Set<SectionKey>(parts.flatMap((part) => RESTORE_PARTS[part]));
  const lines = [about(state)];
  for (const key of FULL.filter((one) => wanted.has(one))) {
    const told = [...(older[key] === undefined ? [] : [older[key]]), ...sections[key].map(bullet)];
    if (told.length > 0) lines.push('', titled(key), ...told);
  }
  if (parts.includes('conversation') && state.conversation.messages.length > 0)
    lines.push('', 'Conversation:', ...conversation(state, older.conversation));
  if (lines.length === 1) lines.push('', `Nothing was recorded of: ${parts.join(', ')}.`);
  return paged(lines, tokensPerPage * BYTES_PER_TOKEN);
}

/** ben10's own text as repeated by the client: nobody said it. */
const OWN_BLOCK = /<ben10-recall-([0-9a-f]{8}) upto="@(\d+)">[\s\S]*?(?:<\/ben10-recall-\1>|$)/g;

function conversation({ conversation }: ContextState, older: string | undefined): string[] {
  const lines = older === undefined ? [] : [older];
  for (const { seq, role, content, metadata } of conversation.messages) {
    const said =
      role === 'system' ? content.replace(OWN_BLOCK, '(what ben10 recalled up to @$2)') : content;
    const [first = '', ...rest] = cleanText(said).split('\n');
    lines.push(`@${seq} ${role}: ${first}`, ...rest.map((line) => `  ${line}`));
    for (const call of metadata.toolCalls) lines.push(`  → ${shown(call, 200)}`);
  }
  return lines;
}

export const about = ({ directory, conversation, tools, files }: ContextState): string => {
  const where = directory === null ? '' : `In ${shown(directory, 400)}: `;
  const said = count(conversation.messageCount, 'message');
  const ran = `${count(tools.total, 'tool call')} (${tools.failures} failed)`;
  return `${where}${said}, ${ran}, ${count(Object.keys(files.files).length, 'file')}.`;
};

export const titled = (key: SectionKey): string => `${TITLES[key]}:`;
export const bullet = ({ seq, text }: Line): string => `@${seq} ${text}`;

type Told = SectionKey | 'conversation';

/** How much older content a state has dropped, and the restore command that shows it: earlier states hold it as their newest. */
function olderOf(state: ContextState, session: string): Partial<Record<Told, string>> {
  const { conversation, tools, files, preferences, decisions, older } = state;
  const line = (n: number, one: string, oldest: { seq: number } | undefined, part: RestorePart) => {
    if (n <= 0 || oldest === undefined) return undefined;
    return `(${count(n, one)}: ${commandFor(oldest.seq - 1, session, part)})`;
  };
  const lines: Partial<Record<Told, string | undefined>> = {
    conversation: line(
      conversation.messageCount - conversation.messages.length,
      'older message',
      conversation.messages[0],
      'conversation',
    ),
    rules: line(older.rules, 'older rule', preferences.rules[0], 'preferences'),
    tools: line(older.tools, 'older one', preferences.tools[0], 'preferences'),
    corrections: line(
      older.corrections,
      'older correction',
      preferences.corrections[0],
      'preferences',
    ),
    decisions: line(older.decisions, 'older decision', decisions[0], 'decisions'),
    commands: line(
      tools.total - tools.runs.length,
      'older call of any tool',
      tools.runs[0],
      'tools',
    ),
    changed:
      files.dropped > 0
        ? `(${count(files.dropped, 'more file')}, touched earlier: those of an earlier point)`
        : undefined,
  };
  return Object.fromEntries(Object.entries(lines).filter(([, text]) => text !== undefined));
}

/** Without `--session` for an unusual id: the point finds the session unless there are several. */
function commandFor(seq: number, session: string, part: RestorePart): string {
  const of = /^[\w-]+$/.test(session) ? ` --session ${session.slice(0, 36)}` : '';
  return `ben10 restore @${seq} --only ${part}${of}`;
}

/** As in `estimateTokens`. */
export const BYTES_PER_TOKEN = 3.1;
export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Shorter pieces are not worth splitting a line. */
const PIECE_BYTES_MIN = 120;

/** Lines as pages of limited size. A line that does not fit begins on this page and continues on the next. */
export function paged(lines: readonly string[], bytesMax: number): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let room = bytesMax;
  const turn = () => {
    pages.push(page.join('\n'));
    page = [];
    room = bytesMax;
  };
  for (const line of lines) {
    let rest = line;
    while (bytesOf(rest) + 1 > room) {
      const isLong = bytesOf(rest) + 1 > bytesMax;
      const piece =
        isLong && (room > PIECE_BYTES_MIN || page.length === 0) ? headBytes(rest, room - 1) : '';
      if (piece !== '') page.push(piece);
      rest = rest.slice(piece.length);
      turn();
    }
    // No page begins with an empty line.
    if (rest === '' && page.length === 0) continue;
    page.push(rest);
    room -= bytesOf(rest) + 1;
  }
  if (page.length > 0 || pages.length === 0) turn();
  return pages;
}

/** The start of a text within so many bytes of UTF-8, never splitting a character. */
export function headBytes(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.floor(bytesMax)));
  return text.slice(0, read);
}

import type { ContextState } from '../projections/folds/context.ts';
import { cleanText } from '../projections/safe-text.ts';
import { olderOf } from './older.ts';
import { BYTES_PER_TOKEN, paged } from './pages.ts';
import { type Line, type SectionKey, sectionsOf, type TextWidths, TITLES } from './sections.ts';
import { count, shown } from './text.ts';

/** What was said is told to its end: the state holds no more than what the pages are to give. */
const WIDTHS_FULL: TextWidths = {
  prose: Number.POSITIVE_INFINITY,
  detail: 1_000,
  wholeFiles: true,
};

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

export interface FullOptions {
  /** Whose state it is. */
  session: string;
  tokensPerPage: number;
  /** All of them by default. */
  parts?: readonly RestorePart[] | undefined;
}

/** The whole state, or some parts of it, as pages of at most so many tokens. */
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

/** What ben10 itself gave the model, as the client repeats it: no line of it is one that was said. */
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

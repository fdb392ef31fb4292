import type { ContextState } from '../projections/folds/context.ts';
import type { RestorePart } from './give.ts';
import type { SectionKey } from './sections.ts';
import { count } from './text.ts';

/** Sections, and what was said. */
type Told = SectionKey | 'conversation';

/**
 * What a state does not hold any more, for it holds the newest of each kind: how much that is, and where it can be seen. The states of
 * earlier points hold what was the newest then, so that a way leads to all of it.
 * @param session that it is the state of
 */
export function olderOf(state: ContextState, session: string): Partial<Record<Told, string>> {
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

/** A session whose id is no plain word is found by the point as well, where it is the only one. */
function commandFor(seq: number, session: string, part: RestorePart): string {
  const of = /^[\w-]+$/.test(session) ? ` --session ${session.slice(0, 36)}` : '';
  return `ben10 restore @${seq} --only ${part}${of}`;
}

import type { Node } from 'jsonc-parser';
import { shellWord } from '../platform/shell-word.ts';
import { memberIf } from './client-settings.ts';
import { type Binary, shellLine, shellWords, startedProgram } from './hook-entry.ts';
import { addMember, removeChild, setValue } from './json-edit.ts';
import type { JsonText } from './json-text.ts';

/** `wrap`: another's status line is kept, on a row of its own. */
export type StatusLineChoice = 'add' | 'wrap';

const KEY = 'statusLine';
const WITH = '--with';
/** Seconds: what a turn's end changed shows without another message, as where the handoff lies. Claude Code knows it since 2.1.97. */
const REFRESH = 10;

/** The arguments of our status line; undefined for another's. */
function ourArguments(command: string): readonly string[] | undefined {
  return startedProgram(shellWords(command), 'statusline')?.rest;
}

const wrappedIn = (args: readonly string[]): string | undefined =>
  args.includes(WITH) ? args[args.indexOf(WITH) + 1] : undefined;

const commandNode = ({ root }: Pick<JsonText, 'root'>): Node | undefined =>
  memberIf(memberIf(root, KEY, 'object'), 'command', 'string');

/** The command of a status line in settings. */
export function statusLineIn(doc: Pick<JsonText, 'root'>): string | undefined {
  const node = commandNode(doc);
  return node && String(node.value);
}

/**
 * Adds our status line. Another's, here or in settings that this file would override, stays as it is, or goes behind `--with`.
 * @param elsewhere the command of one in other settings
 * @returns the same document if another's stays
 */
export function installStatusLine(
  doc: JsonText,
  binary: Binary,
  choice: StatusLineChoice,
  elsewhere?: string,
): JsonText {
  const lineOf = (args: readonly string[]) =>
    shellLine(binary, ['statusline', ...args.map(shellWord)]);
  const node = commandNode(doc);
  if (node !== undefined) {
    const command = String(node.value);
    const ours = ourArguments(command);
    if (ours === undefined && choice !== 'wrap') return doc;
    const line = lineOf(ours ?? [WITH, command]);
    return line === command ? doc : setValue(doc, node, line);
  }
  const isThere = memberOfRoot(doc) !== undefined;
  const others = elsewhere !== undefined && ourArguments(elsewhere) === undefined;
  if (isThere || (others && choice !== 'wrap')) return doc;
  const command = lineOf(others ? [WITH, elsewhere] : []);
  return addMember(doc, doc.root, KEY, { type: 'command', command, refreshInterval: REFRESH });
}

/** Takes our status line out; one that stood here before it stands here again. */
export function removeStatusLine(doc: JsonText, elsewhere?: string): JsonText {
  const node = commandNode(doc);
  const args = node && ourArguments(String(node.value));
  if (args === undefined) return doc;
  const before = wrappedIn(args);
  if (before !== undefined && before !== elsewhere) return setValue(doc, node!, before);
  return removeChild(doc, doc.root, memberOfRoot(doc)!);
}

const memberOfRoot = ({ root }: Pick<JsonText, 'root'>): Node | undefined =>
  root.children?.find(({ children }) => children?.[0]?.value === KEY);

/** Whether our status line is there. */
export function hasStatusLine(doc: Pick<JsonText, 'root'>): boolean {
  const command = statusLineIn(doc);
  return command !== undefined && ourArguments(command) !== undefined;
}

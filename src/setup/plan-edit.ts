import { type JsonText, parseJsonText } from './json-text.ts';
import { readProjectFile } from './project-file.ts';

export const MCP_FILE = '.mcp.json';
export const SETTINGS_FILE = '.claude/settings.json';
export const LOCAL_SETTINGS_FILE = '.claude/settings.local.json';
export const CONFIG_FILE = '.ben10/config.yaml';
/** In place of the other, where somebody wrote it. */
export const JSON_CONFIG_FILE = '.ben10/config.json';
/** Compiled from the configuration, for hooks. */
export const HOOK_CONFIG_FILE = '.ben10/hook-config.json';
/** Keeps `.ben10` out of git by itself, whatever becomes of the project's own file. */
export const OWN_IGNORE_FILE = '.ben10/.gitignore';
export const OWN_IGNORE_TEXT = '*\n';
export const IGNORE_FILE = '.gitignore';

/** One file of a plan. */
export interface PlannedEdit {
  /** Relative to the project, with `/`. */
  file: string;
  action: 'create' | 'change' | 'keep' | 'remove';
  /** Undefined for `create`. */
  before?: string;
  /** Empty for `remove`. */
  after: string;
  /** What it is for, as a phrase: `starts ben10's server with the client`. */
  why: string;
}

/** What a command would do. Nothing has been written yet. */
export interface SetupPlan {
  /** Resolved. */
  projectDir: string;
  edits: PlannedEdit[];
  /** What the user should know beyond the edits, one sentence each. */
  notes: string[];
}

/** A blank file is kept above what is put into it, so that it can be given back. */
const BLANK_LEFT = /^(\s*)\n\{\}\n$/;
/** The members of files that `init` makes, in the order in which it adds them. */
const MADE_MEMBERS = ['hooks', 'permissions', 'mcpServers'];

/** Takes ours out of a JSON file, if it is there. The file goes if it is one that `init` made, and nothing is left. */
export const planRemoval = (
  projectDir: string,
  file: string,
  why: string,
  remove: (doc: JsonText) => JsonText,
): PlannedEdit | undefined =>
  planText(projectDir, file, why, (before) => withoutOurs(file, before, remove));

/**
 * The text of a JSON file without ours; undefined for one that `init` made, and nothing is left of it.
 * @throws Ben10Error SETTINGS_INVALID when it cannot be parsed
 */
export function withoutOurs(
  file: string,
  before: string,
  remove: (doc: JsonText) => JsonText,
): string | undefined {
  if (before.trim() === '') return before;
  const after = remove(parseJsonText(file, before)).text;
  if (after === before) return before;
  if (after === '{}\n' && isMade(before)) return undefined;
  return BLANK_LEFT.exec(after)?.[1] ?? after;
}

/** Whether a file has the layout and the order of one that `init` made from nothing, and no other members. */
function isMade(text: string): boolean {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    return false; // comments
  }
  const members = MADE_MEMBERS.filter((name) => Object.hasOwn(value, name));
  const made = Object.fromEntries(members.map((name) => [name, value[name]]));
  return text === `${JSON.stringify(made, null, 2)}\n`;
}

/**
 * An edit of a file that is there.
 * @param change gives the new text; undefined to remove the file
 */
export function planText(
  projectDir: string,
  file: string,
  why: string,
  change: (before: string) => string | undefined,
): PlannedEdit | undefined {
  const { text: before } = readProjectFile(projectDir, file);
  if (before === undefined) return undefined;
  const after = change(before);
  if (after === undefined) return { file, action: 'remove', before, after: '', why };
  return { file, action: after === before ? 'keep' : 'change', before, after, why };
}

/** Puts ours into a JSON file, made if it is missing or blank. */
export function planJson(
  projectDir: string,
  file: string,
  why: string,
  install: (doc: JsonText) => JsonText,
): PlannedEdit {
  const { text: before } = readProjectFile(projectDir, file);
  if (before === undefined || before.trim() === '') {
    const made = `${install(parseJsonText(file, '{}')).text}\n`;
    return before === undefined
      ? { file, action: 'create', after: made, why }
      : { file, action: 'change', before, after: `${before}\n${made}`, why };
  }
  const after = install(parseJsonText(file, before)).text;
  return { file, action: after === before ? 'keep' : 'change', before, after, why };
}

/** A file of our own: one that is there stays as it is. */
export function planNew(projectDir: string, file: string, after: string, why: string): PlannedEdit {
  const { text: before } = readProjectFile(projectDir, file);
  return before === undefined
    ? { file, action: 'create', after, why }
    : { file, action: 'keep', before, after: before, why };
}

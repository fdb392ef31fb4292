import { type JsonText, parseJsonText } from './json-text.ts';
import { readProjectFile } from './project-file.ts';

export const MCP_FILE = '.mcp.json';
export const SETTINGS_FILE = '.claude/settings.json';
export const LOCAL_SETTINGS_FILE = '.claude/settings.local.json';
export const CONFIG_FILE = '.ben10/config.yaml';
export const JSON_CONFIG_FILE = '.ben10/config.json';
export const HOOK_CONFIG_FILE = '.ben10/hook-config.json';
export const OWN_IGNORE_FILE = '.ben10/.gitignore';
export const OWN_IGNORE_TEXT = '*\n';
export const IGNORE_FILE = '.gitignore';

/** One file of a plan. */
export interface PlannedEdit {
  /** Relative to the project, with `/`. */
  file: string;
  action: 'create' | 'change' | 'keep' | 'remove';
  before?: string;
  /** Empty for `remove`. */
  after: string;
  /** Its purpose, as a phrase: `starts ben10's server with the client`. */
  why: string;
}

/** What a command will change. */
export interface SetupPlan {
  /** Resolved. */
  projectDir: string;
  edits: PlannedEdit[];
  /** Notes for the user, one sentence each. */
  notes: string[];
}

/** A blank file's text is kept above our part, so that an uninstall can restore it. */
const BLANK_LEFT = /^(\s*)\n\{\}\n$/;
/** Members that `init` adds, in this order. */
const MADE_MEMBERS = ['hooks', 'permissions', 'mcpServers'];

/** Removes our part from a JSON file; removes the file if `init` made it and nothing is left. */
export const planRemoval = (
  projectDir: string,
  file: string,
  why: string,
  remove: (doc: JsonText) => JsonText,
): PlannedEdit | undefined =>
  planText(projectDir, file, why, (before) => withoutOurs(file, before, remove));

/** A JSON file without our part; undefined if `init` made it and nothing is left. @throws Ben10Error SETTINGS_INVALID */
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

/** Whether `init` made the file: its layout and members are exactly those. */
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

/** An edit of an existing file. @param change returns undefined to remove the file */
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

/** Adds our part to a JSON file, which may be missing or blank. */
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

/** A file of our own; an existing one stays unchanged. */
export function planNew(projectDir: string, file: string, after: string, why: string): PlannedEdit {
  const { text: before } = readProjectFile(projectDir, file);
  return before === undefined
    ? { file, action: 'create', after, why }
    : { file, action: 'keep', before, after: before, why };
}

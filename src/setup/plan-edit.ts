import * as path from 'node:path';
import { LOCAL_COPY } from '../platform/local-copy.ts';
import type { GitView } from './git-view.ts';
import { type JsonText, parseJsonText } from './json-text.ts';
import { readProjectFile, resolveProject } from './project-file.ts';

export const MCP_FILE = '.mcp.json';
export const SETTINGS_FILE = '.claude/settings.json';
export const LOCAL_SETTINGS_FILE = '.claude/settings.local.json';
export const CONFIG_FILE = '.ben10/config.yaml';
export const JSON_CONFIG_FILE = '.ben10/config.json';
export const HOOK_CONFIG_FILE = '.ben10/hook-config.json';
export const OWN_IGNORE_FILE = '.ben10/.gitignore';
export const OWN_IGNORE_TEXT = '*\n';
export const IGNORE_FILE = '.gitignore';
export const LOCAL_COPY_FILE = `.ben10/${LOCAL_COPY}`;
/** What only this machine has, unless git tracks it. */
export const PRIVATE_FILES = [MCP_FILE, LOCAL_SETTINGS_FILE] as const;

/** What ben10 writes for other tools, as sessions go. */
export const EXPORTED_FILES = [
  '.claude/checkpoint-state.json',
  '.claude/ralph-state.json',
  '.claude/ralph/',
] as const;

/** One file of a plan. */
export interface PlannedEdit {
  /** Relative to its folder, with `/`. */
  file: string;
  /** Absolute; the project by default. */
  folder?: string;
  /** Whether others get it, through git. */
  isShared?: boolean;
  action: 'create' | 'change' | 'keep' | 'remove';
  before?: string;
  /** Empty for `remove`. */
  after: string;
  /** Its purpose, as a phrase: `starts ben10's server`. */
  why: string;
}

/** What a command will change. */
export interface SetupPlan {
  /** Resolved. The folder of the client's settings, for those of the user. */
  projectDir: string;
  edits: PlannedEdit[];
  /** Notes for the user, one sentence each. */
  notes: string[];
}

/** A blank file's text is kept above our part, so that an uninstall can restore it. */
const BLANK_LEFT = /^(\s*)\n\{\}\n$/;
/** Members that `init` adds; where hooks move to a file that is there, they come last. */
const MADE_MEMBERS = new Set([
  'hooks',
  'permissions',
  'enabledMcpjsonServers',
  'mcpServers',
  'statusLine',
]);

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
  const isOurs = Object.keys(value).every((name) => MADE_MEMBERS.has(name));
  return isOurs && text === `${JSON.stringify(value, null, 2)}\n`;
}

/** An edit of a file, if it is there. @param change returns undefined to remove it */
export function planText(
  projectDir: string,
  file: string,
  why: string,
  change: (before: string) => string | undefined,
): PlannedEdit | undefined {
  return planFile(projectDir, file, why, (before) =>
    before === undefined ? undefined : change(before),
  )[0];
}

/** An edit of a file that may be missing. @param change returns undefined for no file */
export function planFile(
  folder: string,
  file: string,
  why: string,
  change: (before: string | undefined) => string | undefined,
): PlannedEdit[] {
  const { text: before } = readProjectFile(folder, file);
  const after = change(before);
  if (before === undefined) {
    return after === undefined ? [] : [{ file, action: 'create', after, why }];
  }
  if (after === undefined) return [{ file, action: 'remove', before, after: '', why }];
  return [{ file, action: after === before ? 'keep' : 'change', before, after, why }];
}

/** An edit of `.git/info/exclude`, which may lie outside of the project. */
export function planExcludeFile(
  { excludeFile }: GitView,
  why: string,
  change: (text: string) => string,
): PlannedEdit[] {
  const folder = resolveProject(path.dirname(path.dirname(excludeFile)));
  const edits = planFile(folder, 'info/exclude', why, (text) => change(text ?? '') || undefined);
  return edits.map((edit) => ({ ...edit, folder }));
}

/** Adds our part to a JSON file, which may be missing or blank. */
export function planJson(
  projectDir: string,
  file: string,
  why: string,
  install: (doc: JsonText) => JsonText,
): PlannedEdit {
  return planFile(projectDir, file, why, (before) => {
    if (before !== undefined && before.trim() !== '')
      return install(parseJsonText(file, before)).text;
    const made = `${install(parseJsonText(file, '{}')).text}\n`;
    return before === undefined ? made : `${before}\n${made}`;
  })[0]!;
}

/** A file of our own; an existing one stays unchanged. */
export const planNew = (
  projectDir: string,
  file: string,
  after: string,
  why: string,
): PlannedEdit => planFile(projectDir, file, why, (before) => before ?? after)[0]!;

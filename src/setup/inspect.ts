import * as fs from 'node:fs';
import * as path from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import { Ben10Error } from '../platform/errors.ts';
import { matchesAll, memberIf, ourHandlersIn } from './client-settings.ts';
import { gitView } from './git-view.ts';
import { type OurHandler, recogniseHandler, startedProgram } from './hook-entry.ts';
import { HOOKS, type HookRow, RECORD_TOOL_PERMISSION, SERVER_NAME } from './hooks-table.ts';
import { type JsonText, parseJsonText } from './json-text.ts';
import { entryOf, isOurs } from './mcp-servers.ts';
import { LOCAL_SETTINGS_FILE, MCP_FILE, SETTINGS_FILE } from './plan-edit.ts';
import { readProjectFile, resolveProject } from './project-file.ts';

export type Scope = 'user' | 'project' | 'local';

/** One of our hooks in a settings file. */
interface HookEntry extends OurHandler {
  scope: Scope;
  file: string;
  /** Seconds; undefined means the client's default of ten minutes. */
  timeout: number | undefined;
  /** The matcher that restricts it. */
  narrowedTo?: string;
}

export interface EventReport {
  event: string;
  /** `twice`: several entries that the client all runs; `narrowed`: all have a restricting matcher. */
  state: 'present' | 'missing' | 'twice' | 'narrowed';
  entries: HookEntry[];
}

export interface SettingsReport {
  scope: Scope;
  file: string;
  state: 'sound' | 'missing' | 'broken';
  problem?: Ben10Error;
  disablesAllHooks: boolean;
  disablesServer: boolean;
  hidesRecordTool: boolean;
}

interface ServerReport {
  file: string;
  /** `foreign`: another server of that name. */
  state: 'present' | 'missing' | 'broken' | 'foreign';
  problem?: Ben10Error;
  command?: string;
  args?: string[];
}

export interface SetupReport {
  projectDir: string;
  server: ServerReport;
  settings: SettingsReport[];
  /** One for each row of `HOOKS`. */
  events: EventReport[];
  recordToolHidden: boolean;
  /** All programs that the settings start: `ben10` (from PATH) and paths. Several may write the same journal. */
  programs: string[];
  /** Whether git would take the journal in. */
  isInGit: boolean;
}

/**
 * Inspects a project's setup. Unreadable files are reported, not thrown.
 * @param clientDir `CLAUDE_CONFIG_DIR`, else `~/.claude`
 * @throws Ben10Error FS_NOT_FOUND if the project's folder does not exist
 */
export function inspectSetup(projectDir: string, clientDir: string): SetupReport {
  const project = resolveProject(projectDir);
  const files = [
    { scope: 'user' as const, ...openUserJson(path.join(clientDir, 'settings.json')) },
    { scope: 'project' as const, ...openJson(project, SETTINGS_FILE) },
    { scope: 'local' as const, ...openJson(project, LOCAL_SETTINGS_FILE) },
  ];
  const settings = files.map(inspectSettings);
  const events = HOOKS.map((row) => inspectEvent(row, files));
  const server = inspectServer(openJson(project, MCP_FILE));
  const commands = events.flatMap(({ entries }) => entries.flatMap((entry) => entry.program ?? []));
  const started = startedProgram([server.command ?? '', ...(server.args ?? [])], 'serve');
  return {
    projectDir: project,
    server,
    settings,
    events,
    recordToolHidden: settings.some((report) => report.hidesRecordTool),
    programs: [...new Set([...commands, ...(started ? [started.program] : [])])],
    isInGit: gitView(project)?.isIgnored('.ben10/journal/any') === false,
  };
}

interface Opened {
  file: string;
  doc?: JsonText;
  problem?: Ben10Error;
}

function openJson(folder: string, name: string): Opened {
  const file = path.join(folder, ...name.split('/'));
  try {
    const { text } = readProjectFile(resolveProject(folder), name);
    return text === undefined ? { file } : { file, doc: parseJsonText(file, text) };
  } catch (problem) {
    if (!(problem instanceof Ben10Error)) throw problem;
    // The client never ran: it has no folder yet.
    return problem.code === 'FS_NOT_FOUND' ? { file } : { file, problem };
  }
}

/** Dotfile managers may have made it a link. */
function openUserJson(file: string): Opened {
  const real = fs.existsSync(file) ? fs.realpathSync(file) : file;
  return { ...openJson(path.dirname(real), path.basename(real)), file };
}

function inspectSettings({ scope, file, doc, problem }: Opened & { scope: Scope }): SettingsReport {
  const listed = (list: ReturnType<typeof memberIf>, value: string) =>
    list?.children?.some((item) => item.value === value) === true;
  const permissions = memberIf(doc?.root, 'permissions', 'object');
  return {
    scope,
    file,
    state: problem !== undefined ? 'broken' : doc === undefined ? 'missing' : 'sound',
    ...(problem !== undefined && { problem }),
    disablesAllHooks: memberIf(doc?.root, 'disableAllHooks', 'boolean')?.value === true,
    disablesServer: listed(memberIf(doc?.root, 'disabledMcpjsonServers', 'array'), SERVER_NAME),
    hidesRecordTool: listed(memberIf(permissions, 'deny', 'array'), RECORD_TOOL_PERMISSION),
  };
}

function inspectEvent(row: HookRow, files: readonly (Opened & { scope: Scope })[]): EventReport {
  const entries: HookEntry[] = [];
  const wide: { key: string; isLocal: boolean }[] = [];
  for (const { scope, file, doc } of files) {
    const groups = memberIf(memberIf(doc?.root, 'hooks', 'object'), row.event, 'array');
    for (const { node, matcher } of groups === undefined ? [] : ourHandlersIn(groups)) {
      const timeout = memberIf(node, 'timeout', 'number')?.value;
      const narrowed = matchesAll(matcher) ? {} : { narrowedTo: String(matcher) };
      const value = getNodeValue(node);
      const ours = recogniseHandler(value)!;
      entries.push({ scope, file, timeout, ...narrowed, ...ours });
      if (matchesAll(matcher)) wide.push({ key: runKey(value), isLocal: ours.isLocal === true });
    }
  }
  if (entries.length === 0) return { event: row.event, state: 'missing', entries };
  const local = wide.filter(({ isLocal }) => isLocal);
  const runs = new Set((local.length > 0 ? local : wide).map(({ key }) => key)).size;
  const state = runs === 0 ? 'narrowed' : runs === 1 ? 'present' : 'twice';
  return { event: row.event, state, entries };
}

/** Equal for entries that the client only runs once: equal commands and tool calls (2.1.329). */
function runKey(handler: { command?: unknown; args?: unknown; input?: unknown }): string {
  return JSON.stringify([handler.command, handler.args, handler.input]);
}

function inspectServer({ file, doc, problem }: Opened): ServerReport {
  if (problem !== undefined) return { file, state: 'broken', problem };
  const entry = doc && entryOf(doc);
  if (entry === undefined) return { file, state: 'missing' };
  const command = memberIf(entry, 'command', 'string')?.value;
  const args = memberIf(entry, 'args', 'array')?.children?.map(({ value }) => String(value));
  return {
    file,
    state: isOurs(entry) ? 'present' : 'foreign',
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args }),
  };
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import { Ben10Error } from '../platform/errors.ts';
import { matchesAll, memberIf, ourHandlersIn } from './client-settings.ts';
import { type OurHandler, recogniseHandler, startedProgram } from './hook-entry.ts';
import { HOOKS, type HookRow, RECORD_TOOL_PERMISSION, SERVER_NAME } from './hooks-table.ts';
import { type IgnoreState, ignoreState } from './ignore-file.ts';
import { type JsonText, parseJsonText } from './json-text.ts';
import { entryOf, isOurs } from './mcp-servers.ts';
import { IGNORE_FILE, LOCAL_SETTINGS_FILE, MCP_FILE, SETTINGS_FILE } from './plan-edit.ts';
import { readProjectFile, resolveProject } from './project-file.ts';

export type Scope = 'user' | 'project' | 'local';

/** One hook of ours in one settings file. */
export interface HookEntry extends OurHandler {
  scope: Scope;
  file: string;
  /** Seconds; undefined where the entry has none, which lets it run for the client's ten minutes. */
  timeout: number | undefined;
  /** The matcher that keeps it from running for everything. */
  narrowedTo?: string;
}

export interface EventReport {
  event: string;
  /** `twice`: several entries that the client does not take for one; `narrowed`: none runs for everything. */
  state: 'present' | 'missing' | 'twice' | 'narrowed';
  entries: HookEntry[];
}

export interface SettingsReport {
  scope: Scope;
  file: string;
  state: 'sound' | 'missing' | 'broken';
  /** For a broken one: what, where and what next. */
  problem?: Ben10Error;
  disablesAllHooks: boolean;
  /** Whether the client is told not to start ben10's server. */
  disablesServer: boolean;
  hidesRecordTool: boolean;
}

export interface ServerReport {
  file: string;
  /** `foreign`: a server of that name that is not ben10's. */
  state: 'present' | 'missing' | 'broken' | 'foreign';
  problem?: Ben10Error;
  /** How the client starts it; undefined where the entry does not say. */
  command?: string;
  args?: string[];
}

/** What of ben10 is installed where. */
export interface SetupReport {
  projectDir: string;
  server: ServerReport;
  settings: SettingsReport[];
  /** One for every row of the table of hooks. */
  events: EventReport[];
  recordToolHidden: boolean;
  /**
   * Every ben10 that is started from here: `ben10` (from PATH) and paths of other copies, in the order met. More than
   * one means that several copies write the same journal.
   */
  programs: string[];
  gitignore: IgnoreState;
}

/**
 * Looks at a project's setup, as data. What cannot be read or parsed is reported, not thrown.
 * @param clientDir the client's own folder (`CLAUDE_CONFIG_DIR`, else `~/.claude`)
 * @throws Ben10Error FS_NOT_FOUND when the project's folder does not exist
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
    gitignore: inspectIgnore(project),
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
    // The folder of a client that never ran: nothing is set there.
    return problem.code === 'FS_NOT_FOUND' ? { file } : { file, problem };
  }
}

/** The user's own file may be a link to anywhere, as dotfile managers make them. */
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
    ...(problem === undefined ? {} : { problem }),
    disablesAllHooks: memberIf(doc?.root, 'disableAllHooks', 'boolean')?.value === true,
    disablesServer: listed(memberIf(doc?.root, 'disabledMcpjsonServers', 'array'), SERVER_NAME),
    hidesRecordTool: listed(memberIf(permissions, 'deny', 'array'), RECORD_TOOL_PERMISSION),
  };
}

function inspectEvent(row: HookRow, files: readonly (Opened & { scope: Scope })[]): EventReport {
  const entries: HookEntry[] = [];
  const wide = new Set<string>();
  for (const { scope, file, doc } of files) {
    const groups = memberIf(memberIf(doc?.root, 'hooks', 'object'), row.event, 'array');
    for (const { node, matcher } of groups === undefined ? [] : ourHandlersIn(groups)) {
      const timeout = memberIf(node, 'timeout', 'number')?.value;
      const narrowed = matchesAll(matcher) ? {} : { narrowedTo: String(matcher) };
      const value = getNodeValue(node);
      entries.push({ scope, file, timeout, ...narrowed, ...recogniseHandler(value)! });
      if (matchesAll(matcher)) wide.add(runKey(value));
    }
  }
  if (entries.length === 0) return { event: row.event, state: 'missing', entries };
  const state = wide.size === 0 ? 'narrowed' : wide.size === 1 ? 'present' : 'twice';
  return { event: row.event, state, entries };
}

/** Equal for entries that the client runs once: equal commands, and equal calls of our tool (2.1.329). */
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
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
  };
}

function inspectIgnore(project: string): IgnoreState {
  try {
    return ignoreState(readProjectFile(project, IGNORE_FILE).text ?? '');
  } catch (error) {
    if (error instanceof Ben10Error) return 'missing';
    throw error;
  }
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { allowServer, hasHooks, installHooks, listed, removeHooks } from './client-settings.ts';
import type { GitView } from './git-view.ts';
import { shellLine } from './hook-entry.ts';
import { HOOKS } from './hooks-table.ts';
import { type JsonText, parseJsonText } from './json-text.ts';
import { entryOf, installServer, isOurs } from './mcp-servers.ts';
import type { Planning } from './plan.ts';
import {
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
  type PlannedEdit,
  planJson,
  planRemoval,
  SETTINGS_FILE,
} from './plan-edit.ts';
import { readProjectFile } from './project-file.ts';
import { hasStatusLine, installStatusLine, statusLineIn } from './status-line.ts';

const HOOKS_WHY = `${HOOKS.length} hooks record sessions`;

/** `.mcp.json`, unless others share it: who lacks ben10 would be asked for the server, and see it fail. */
export function planServer({ projectDir, binary, git, notes }: Planning): PlannedEdit[] {
  if (git?.isTracked(MCP_FILE)) {
    if (!hasServer(projectDir)) {
      const add = `claude mcp add ben10 -- ${shellLine(binary, ['serve'])}`;
      notes.push(
        `${MCP_FILE} is shared through git and was not changed. For ben10's tools: ${add}`,
      );
    }
    return [];
  }
  const install = (doc: JsonText) => installServer(doc, binary);
  return [planJson(projectDir, MCP_FILE, "starts ben10's server", install)];
}

/** The settings of the team and one's own: hooks are in one of them, the consent to the server always in one's own. */
export function planHooks(planning: Planning): PlannedEdit[] {
  const { projectDir, shared, carrier, binary, git, notes } = planning;
  const consent = git?.isTracked(MCP_FILE) && !hasServer(projectDir) ? same : allowServer;
  if (refusesServer(projectDir))
    notes.push(
      `You refused ben10's server here (disabledMcpjsonServers in ${LOCAL_SETTINGS_FILE}): all is recorded, only the model's tools are missing.`,
    );
  const line = statusLine(planning);
  const install = (doc: JsonText) => installHooks(doc, carrier, binary);
  if (!shared) {
    const own = planJson(projectDir, LOCAL_SETTINGS_FILE, HOOKS_WHY, (doc) =>
      line(consent(install(doc))),
    );
    const shows = hasStatusLine(parseJsonText(LOCAL_SETTINGS_FILE, own.after));
    const why = shows ? `${HOOKS_WHY}, a status line` : HOOKS_WHY;
    return [{ ...own, why }, ...withoutHooks(planning)];
  }
  const team = planJson(projectDir, SETTINGS_FILE, HOOKS_WHY, install);
  const why = consent === same ? 'has the status line' : "allows ben10's server";
  if (consent !== same || line !== same)
    return [
      team,
      planJson(projectDir, LOCAL_SETTINGS_FILE, why, (doc) => line(consent(removeHooks(doc)))),
    ];
  const own = planRemoval(projectDir, LOCAL_SETTINGS_FILE, 'its hooks move', removeHooks);
  return own === undefined ? [team] : [team, own];
}

const same = (doc: JsonText): JsonText => doc;

/** A status line is a matter of taste: it goes into one's own settings, unless others get them. */
function statusLine({ projectDir, binary, git, notes, ...asked }: Planning): typeof same {
  const choice = asked.statusLine;
  if (choice === undefined || git?.isTracked(LOCAL_SETTINGS_FILE)) return same;
  const elsewhere = statusLineElsewhere(projectDir, asked.clientDir);
  return (doc) => {
    const installed = installStatusLine(doc, binary, choice, elsewhere);
    if (!hasStatusLine(installed))
      notes.push(
        'You have a status line: it stays as it is. To see both, run: ben10 init --statusline wrap',
      );
    return installed;
  };
}

/** The command in the settings that one's own would override: the team's, then the user's. */
export function statusLineElsewhere(
  projectDir: string,
  clientDir: string | undefined,
): string | undefined {
  const { text: team } = readProjectFile(projectDir, SETTINGS_FILE);
  return lineIn(team) ?? lineIn(clientDir && textIf(path.join(clientDir, 'settings.json')));
}

function lineIn(text: string | undefined): string | undefined {
  try {
    return text?.trim() ? statusLineIn(parseJsonText(SETTINGS_FILE, text)) : undefined;
  } catch {
    return undefined; // the client does not read it either
  }
}

function textIf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined; // missing or unreadable
  }
}

/** Hooks that an earlier version put into the other file; those of a team stay. */
function withoutHooks({ projectDir, git, notes }: Planning): PlannedEdit[] {
  if (sharesHooks(projectDir, git)) {
    notes.push(`${SETTINGS_FILE} has ben10's hooks, too: they leave this project to yours.`);
    return [];
  }
  const why = `its hooks move to ${LOCAL_SETTINGS_FILE}`;
  const edit = planRemoval(projectDir, SETTINGS_FILE, why, removeHooks);
  return edit === undefined || edit.action === 'keep' ? [] : [edit];
}

/** Whether git has our hooks in the settings of the team. */
export const sharesHooks = (projectDir: string, git: GitView | undefined): boolean =>
  git?.isTracked(SETTINGS_FILE) === true && isIn(projectDir, SETTINGS_FILE, hasHooks);

const hasServer = (projectDir: string): boolean =>
  isIn(projectDir, MCP_FILE, (doc) => {
    const entry = entryOf(doc);
    return entry !== undefined && isOurs(entry);
  });

const refusesServer = (projectDir: string): boolean =>
  isIn(projectDir, LOCAL_SETTINGS_FILE, (doc) => listed(doc, 'disabledMcpjsonServers'));

function isIn(projectDir: string, file: string, is: (doc: JsonText) => boolean): boolean {
  const { text = '' } = readProjectFile(projectDir, file);
  return text.trim() !== '' && is(parseJsonText(file, text));
}

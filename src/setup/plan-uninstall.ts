import * as fs from 'node:fs';
import * as path from 'node:path';
import { removeHooks } from './client-settings.ts';
import { configTemplate } from './config-template.ts';
import { SERVER_NAME } from './hooks-table.ts';
import { withoutIgnoreLine } from './ignore-file.ts';
import { parseJsonText } from './json-text.ts';
import { entryOf, installServer, isOurs, removeServer } from './mcp-servers.ts';
import {
  CONFIG_FILE,
  HOOK_CONFIG_FILE,
  IGNORE_FILE,
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
  OWN_IGNORE_FILE,
  OWN_IGNORE_TEXT,
  type PlannedEdit,
  planRemoval,
  planText,
  SETTINGS_FILE,
  type SetupPlan,
} from './plan-edit.ts';
import { resolveProject } from './project-file.ts';

/**
 * What `ben10 init --uninstall` would do: everything that `init` put in goes, from both settings files; the journal and
 * a configuration that was changed stay.
 * @param options `local` takes out only what is one's own where others share an installation
 * @throws Ben10Error as `planInit`
 */
export function planUninstall(options: { projectDir: string; local?: boolean }): SetupPlan {
  const projectDir = resolveProject(options.projectDir);
  const shared = removal(projectDir, SETTINGS_FILE);
  const local = removal(projectDir, LOCAL_SETTINGS_FILE);
  if (options.local === true && shared !== undefined && shared.action !== 'keep') {
    const edits = [local, planSharedServer(projectDir)].filter((edit) => edit !== undefined);
    const stays = `${SETTINGS_FILE} goes on recording here, for all who share it: it stays, with the server and the rest.`;
    return { projectDir, edits, notes: [stays] };
  }
  const notes: string[] = [];
  const planned = [
    planServer(projectDir, notes),
    shared,
    local,
    planText(projectDir, IGNORE_FILE, "ben10's lines are taken out", withoutIgnoreLine),
    planText(projectDir, CONFIG_FILE, 'nothing was changed in it', (text) =>
      text === configTemplate() ? undefined : text,
    ),
    planText(projectDir, HOOK_CONFIG_FILE, 'it was compiled for the hooks', () => undefined),
  ];
  const edits = planned.filter((edit) => edit !== undefined);
  const left = whatStays(projectDir, edits);
  if (left.length === 0) {
    const why = 'there is no journal to keep out of git';
    const own = planText(projectDir, OWN_IGNORE_FILE, why, (text) =>
      text === OWN_IGNORE_TEXT ? undefined : text,
    );
    if (own !== undefined) edits.push(own);
  }
  if (left.includes('config.yaml')) notes.push(`${CONFIG_FILE} was changed by you: it stays.`);
  if (left.includes('journal')) {
    notes.push(
      'The journal stays in .ben10; git goes on ignoring it. Delete the folder to forget it all.',
    );
  }
  return { projectDir, edits, notes };
}

const removal = (projectDir: string, file: string): PlannedEdit | undefined =>
  planRemoval(projectDir, file, "ben10's hooks are taken out", removeHooks);

/** `init --local` had it start a copy of this machine. */
const planSharedServer = (projectDir: string): PlannedEdit | undefined =>
  planText(projectDir, MCP_FILE, 'starts ben10 from PATH again, for all', (text) => {
    if (text.trim() === '') return text;
    const doc = parseJsonText(MCP_FILE, text);
    const entry = entryOf(doc);
    const ours = entry !== undefined && isOurs(entry);
    return ours ? installServer(doc, { command: 'ben10' }).text : text;
  });

/** A server of that name that is not ours stays. */
function planServer(projectDir: string, notes: string[]): PlannedEdit | undefined {
  return planRemoval(projectDir, MCP_FILE, "ben10's server is taken out", (doc) => {
    const entry = entryOf(doc);
    if (entry !== undefined && !isOurs(entry)) {
      notes.push(`The server "${SERVER_NAME}" in ${MCP_FILE} is not ben10's: it stays.`);
    }
    return removeServer(doc);
  });
}

/** What is in `.ben10` besides the file that keeps it out of git, once the edits are done. */
function whatStays(projectDir: string, edits: readonly PlannedEdit[]): string[] {
  const folder = path.join(projectDir, '.ben10');
  if (!fs.existsSync(folder)) return [];
  const going = edits.filter(({ action }) => action === 'remove').map(({ file }) => file);
  return fs
    .readdirSync(folder)
    .filter((name) => name !== '.gitignore' && !going.includes(`.ben10/${name}`));
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { removeHooks } from './client-settings.ts';
import { configTemplate } from './config-template.ts';
import { removeIgnoreLine } from './ignore-file.ts';
import { removeServer } from './mcp-servers.ts';
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
 * @throws Ben10Error as `planInit`
 */
export function planUninstall(options: { projectDir: string }): SetupPlan {
  const projectDir = resolveProject(options.projectDir);
  const hooks = "ben10's hooks are taken out";
  const planned = [
    planRemoval(projectDir, MCP_FILE, "ben10's server is taken out", removeServer),
    planRemoval(projectDir, SETTINGS_FILE, hooks, removeHooks),
    planRemoval(projectDir, LOCAL_SETTINGS_FILE, hooks, removeHooks),
    planText(projectDir, IGNORE_FILE, "ben10's lines are taken out", removeIgnoreLine),
    planText(projectDir, CONFIG_FILE, 'a changed configuration stays', (text) =>
      text === configTemplate() ? '' : text,
    ),
    planText(projectDir, HOOK_CONFIG_FILE, 'it was compiled for the hooks', () => ''),
  ];
  const edits = planned.filter((edit) => edit !== undefined);
  const left = whatStays(projectDir, edits);
  if (left.length === 0) {
    const why = 'there is no journal to keep out of git';
    const own = planText(projectDir, OWN_IGNORE_FILE, why, (text) =>
      text === OWN_IGNORE_TEXT ? '' : text,
    );
    if (own !== undefined) edits.push(own);
  }
  const notes = left.includes('journal')
    ? ['The journal stays in .ben10; git goes on ignoring it. Delete the folder to forget it all.']
    : [];
  return { projectDir, edits, notes };
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

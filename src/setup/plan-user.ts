import * as fs from 'node:fs';
import * as path from 'node:path';
import { installHooks, removeOurs } from './client-settings.ts';
import { planJson, planRemoval, type SetupPlan } from './plan-edit.ts';
import { resolveProject } from './project-file.ts';

/**
 * The plan of `ben10 init --user`: hooks for all projects of this user. Each project has a journal of its own, which its first
 * session makes.
 * @param clientDir of the client's settings, see `clientFolder`
 */
export function planUser(clientDir: string, uninstall: boolean): SetupPlan {
  const { folder, file } = settingsPlace(clientDir);
  const why = 'records all your projects, each in a journal of its own';
  const edit = uninstall
    ? planRemoval(folder, file, "ben10's hooks are removed", removeOurs)
    : planJson(folder, file, why, (doc) => installHooks(doc, 'command', { command: 'ben10' }));
  const projectDir = resolveProject(path.dirname(clientDir));
  return { projectDir, edits: edit === undefined ? [] : [{ ...edit, folder }], notes: [] };
}

export const clientFolder = (
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string => env.CLAUDE_CONFIG_DIR || path.join(home, '.claude');

/** Dotfile managers make it a link; before its first run the client has no folder. */
function settingsPlace(clientDir: string): { folder: string; file: string } {
  const settings = path.join(clientDir, 'settings.json');
  if (!fs.existsSync(clientDir)) {
    const file = `${path.basename(clientDir)}/settings.json`;
    return { folder: resolveProject(path.dirname(clientDir)), file };
  }
  const real = fs.existsSync(settings) ? fs.realpathSync(settings) : settings;
  return { folder: resolveProject(path.dirname(real)), file: path.basename(real) };
}

import * as fs from 'node:fs';
import * as path from 'node:path';
import { removeHooks, removeOurs } from './client-settings.ts';
import { COMMAND_FILES, planCommandRemovals } from './command-files.ts';
import { configTemplate } from './config-template.ts';
import { removeExcluded } from './exclude-file.ts';
import { gitView } from './git-view.ts';
import { SERVER_NAME } from './hooks-table.ts';
import { withoutIgnoreLine } from './ignore-file.ts';
import { type JsonText, parseJsonText } from './json-text.ts';
import { entryOf, installServer, isOurs, removeServer } from './mcp-servers.ts';
import { statusLineElsewhere } from './plan-client.ts';
import {
  CONFIG_FILE,
  EXPORTED_FILES,
  HOOK_CONFIG_FILE,
  IGNORE_FILE,
  LOCAL_COPY_FILE,
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
  OWN_IGNORE_FILE,
  OWN_IGNORE_TEXT,
  type PlannedEdit,
  PRIVATE_FILES,
  planExcludeFile,
  planRemoval,
  planText,
  SETTINGS_FILE,
  type SetupPlan,
} from './plan-edit.ts';
import { resolveProject } from './project-file.ts';
import { removeStatusLine } from './status-line.ts';

const OUR_LINES = "ben10's lines are removed";

/**
 * The plan of `ben10 init --uninstall`. The journal and a changed configuration stay.
 * @param options `local` only removes the user's own part, if others share the rest
 * @throws Ben10Error as `planInit`
 */
export function planUninstall(options: {
  projectDir: string;
  local?: boolean;
  /** As for `planInit`. */
  clientDir?: string;
}): SetupPlan {
  const projectDir = resolveProject(options.projectDir);
  const elsewhere = statusLineElsewhere(projectDir, options.clientDir);
  const withoutLine = (doc: JsonText) => removeStatusLine(doc, elsewhere);
  const shared = removal(projectDir, SETTINGS_FILE, removeOurs);
  const own = planText(projectDir, LOCAL_COPY_FILE, 'it named a copy of ben10', () => undefined);
  if (options.local === true && shared !== undefined && shared.action !== 'keep') {
    const local = removal(projectDir, LOCAL_SETTINGS_FILE, (doc) => removeHooks(withoutLine(doc)));
    const edits = [local, planSharedServer(projectDir), own].filter((edit) => edit !== undefined);
    const stays = `${SETTINGS_FILE} is shared, and continues to record: it stays, with the server and the rest.`;
    return { projectDir, edits, notes: [stays] };
  }
  const notes: string[] = [];
  const planned = [
    planServer(projectDir, notes),
    shared,
    removal(projectDir, LOCAL_SETTINGS_FILE, (doc) => removeOurs(withoutLine(doc))),
    ...planCommandRemovals(projectDir),
    own,
    planText(projectDir, IGNORE_FILE, OUR_LINES, withoutIgnoreLine),
    planText(projectDir, CONFIG_FILE, 'nothing was changed in it', (text) =>
      text === configTemplate() ? undefined : text,
    ),
    planText(projectDir, HOOK_CONFIG_FILE, 'hooks do not need it any more', () => undefined),
  ];
  const edits = [...planned.filter((edit) => edit !== undefined), ...planExclude(projectDir)];
  const left = whatStays(projectDir, edits);
  if (left.length === 0) {
    const why = 'there is no journal';
    const ignore = planText(projectDir, OWN_IGNORE_FILE, why, (text) =>
      text === OWN_IGNORE_TEXT ? undefined : text,
    );
    if (ignore !== undefined) edits.push(ignore);
  }
  if (left.includes('config.yaml')) notes.push(`You changed ${CONFIG_FILE}: it stays.`);
  if (left.includes('journal')) {
    notes.push(
      'The journal stays in .ben10, ignored by git. To delete everything, delete the folder.',
    );
  }
  return { projectDir, edits, notes };
}

const removal = (
  projectDir: string,
  file: string,
  remove: (doc: JsonText) => JsonText,
): PlannedEdit | undefined => planRemoval(projectDir, file, "ben10's hooks are removed", remove);

function planExclude(projectDir: string): PlannedEdit[] {
  const git = gitView(projectDir);
  if (git === undefined) return [];
  const files = [...PRIVATE_FILES, ...COMMAND_FILES, ...EXPORTED_FILES].map(
    (file) => git.prefix + file,
  );
  return planExcludeFile(git, OUR_LINES, (text) => removeExcluded(text, files)).filter(
    ({ action }) => action !== 'keep',
  );
}

/** After `init --local` it starts a copy by its path. */
const planSharedServer = (projectDir: string): PlannedEdit | undefined =>
  planText(projectDir, MCP_FILE, 'starts ben10 from PATH again', (text) => {
    if (text.trim() === '') return text;
    const doc = parseJsonText(MCP_FILE, text);
    const entry = entryOf(doc);
    const ours = entry !== undefined && isOurs(entry);
    return ours ? installServer(doc, { command: 'ben10' }).text : text;
  });

/** A server of that name that is not ours stays. */
function planServer(projectDir: string, notes: string[]): PlannedEdit | undefined {
  return planRemoval(projectDir, MCP_FILE, "ben10's server is removed", (doc) => {
    const entry = entryOf(doc);
    if (entry !== undefined && !isOurs(entry)) {
      notes.push(`The server "${SERVER_NAME}" in ${MCP_FILE} is not ben10's: it stays.`);
    }
    return removeServer(doc);
  });
}

/** What is left in `.ben10` after the edits, besides .gitignore. */
function whatStays(projectDir: string, edits: readonly PlannedEdit[]): string[] {
  const folder = path.join(projectDir, '.ben10');
  if (!fs.existsSync(folder)) return [];
  const going = edits.filter(({ action }) => action === 'remove').map(({ file }) => file);
  return fs
    .readdirSync(folder)
    .filter((name) => name !== '.gitignore' && !going.includes(`.ben10/${name}`));
}

import { checkProjectConfig } from '../platform/config.ts';
import { installHooks, removeHooks } from './client-settings.ts';
import { configTemplate } from './config-template.ts';
import type { Binary } from './hook-entry.ts';
import { type Carrier, HOOKS } from './hooks-table.ts';
import { addIgnoreLine, ignoreState, NEW_IGNORE_FILE } from './ignore-file.ts';
import { installServer } from './mcp-servers.ts';
import {
  CONFIG_FILE,
  IGNORE_FILE,
  JSON_CONFIG_FILE,
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
  OWN_IGNORE_FILE,
  OWN_IGNORE_TEXT,
  type PlannedEdit,
  planJson,
  planNew,
  planRemoval,
  SETTINGS_FILE,
  type SetupPlan,
} from './plan-edit.ts';
import { readProjectFile, resolveProject } from './project-file.ts';

export interface InitOptions {
  projectDir: string;
  /** `auto` is `mcp`. */
  carrier: 'auto' | Carrier;
  /** Puts hooks into `settings.local.json`, which is not shared. */
  local: boolean;
  binary: Binary;
}

/** The plan of `ben10 init`. @throws Ben10Error for files that cannot be read, parsed or trusted */
export function planInit(options: InitOptions): SetupPlan {
  const { local, binary } = options;
  const projectDir = resolveProject(options.projectDir);
  const carrier = options.carrier === 'auto' ? 'mcp' : options.carrier;
  const notes: string[] = [];
  const ours = local ? LOCAL_SETTINGS_FILE : SETTINGS_FILE;
  const edits = [
    planJson(projectDir, MCP_FILE, "starts ben10's server with the client", (doc) =>
      installServer(doc, binary),
    ),
    planJson(
      projectDir,
      ours,
      `records sessions by ${HOOKS.length} hooks, and hides the recording tool from the model`,
      (doc) => installHooks(doc, carrier, binary),
    ),
    ...planOtherSettings(projectDir, local, notes),
    ...planConfig(projectDir),
    planOwnIgnore(projectDir),
    planIgnore(projectDir, notes),
  ];
  if (!('command' in binary)) {
    notes.push(`${MCP_FILE} now contains paths of this machine: do not share it.`);
  }
  return { projectDir, edits, notes };
}

/** The other settings file: hooks must not run from both. */
function planOtherSettings(projectDir: string, local: boolean, notes: string[]): PlannedEdit[] {
  const file = local ? SETTINGS_FILE : LOCAL_SETTINGS_FILE;
  const why = 'its hooks move to the other file';
  const edit = planRemoval(projectDir, file, why, removeHooks);
  if (edit === undefined || edit.action === 'keep') return [];
  if (!local) return [edit];
  // Others may rely on that shared file.
  notes.push(
    `${file} has ben10's hooks, too: they run twice, which is harmless but slower. Keep one of the two.`,
  );
  return [];
}

function planConfig(projectDir: string): PlannedEdit[] {
  // A broken one could not be compiled later.
  checkProjectConfig(projectDir);
  // There may only be one configuration.
  if (readProjectFile(projectDir, JSON_CONFIG_FILE).text !== undefined) return [];
  return [planNew(projectDir, CONFIG_FILE, configTemplate(), "shows this project's settings")];
}

const planOwnIgnore = (projectDir: string): PlannedEdit =>
  planNew(
    projectDir,
    OWN_IGNORE_FILE,
    OWN_IGNORE_TEXT,
    'keeps the journal out of git, even without the other file',
  );

function planIgnore(projectDir: string, notes: string[]): PlannedEdit {
  const why = 'keeps the journal out of git';
  const { text: before } = readProjectFile(projectDir, IGNORE_FILE);
  if (before === undefined) {
    return { file: IGNORE_FILE, action: 'create', after: NEW_IGNORE_FILE, why };
  }
  const after = addIgnoreLine(before);
  if (ignoreState(before) === 'allowed') {
    notes.push(`${IGNORE_FILE} includes .ben10 with a "!" line, so it was not changed.`);
  }
  const action = after === before ? 'keep' : 'change';
  return { file: IGNORE_FILE, action, before, after, why };
}

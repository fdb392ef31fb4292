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
  /** Hooks for this machine and user alone, in `settings.local.json`. */
  local: boolean;
  binary: Binary;
}

/**
 * What `ben10 init` would do. A file with nothing to change is `keep`: planning after applying keeps everything.
 * @throws Ben10Error for anything that cannot be read, parsed or trusted, before anything is written
 */
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
    notes.push(`${MCP_FILE} now names paths of this machine: do not share it with others.`);
  }
  return { projectDir, edits, notes };
}

/** The settings file that this installation does not use: ours must not run from both. */
function planOtherSettings(projectDir: string, local: boolean, notes: string[]): PlannedEdit[] {
  const file = local ? SETTINGS_FILE : LOCAL_SETTINGS_FILE;
  const why = 'its hooks move, so that they do not run twice';
  const edit = planRemoval(projectDir, file, why, removeHooks);
  if (edit === undefined || edit.action === 'keep') return [];
  if (!local) return [edit];
  // That file is shared with others, who may rely on it.
  notes.push(
    `${file} holds ben10's hooks too, so that its commands run twice (harmless, but slower): keep one of the two.`,
  );
  return [];
}

function planConfig(projectDir: string): PlannedEdit[] {
  // A broken one would stop the compiled configuration that follows.
  checkProjectConfig(projectDir);
  // Beside settings in JSON it would be a second configuration, which is none.
  if (readProjectFile(projectDir, JSON_CONFIG_FILE).text !== undefined) return [];
  return [planNew(projectDir, CONFIG_FILE, configTemplate(), "shows this project's settings")];
}

const planOwnIgnore = (projectDir: string): PlannedEdit =>
  planNew(
    projectDir,
    OWN_IGNORE_FILE,
    OWN_IGNORE_TEXT,
    'keeps the journal out of git, whatever becomes of the rest',
  );

function planIgnore(projectDir: string, notes: string[]): PlannedEdit {
  const why = 'keeps the journal out of git';
  const { text: before } = readProjectFile(projectDir, IGNORE_FILE);
  if (before === undefined) {
    return { file: IGNORE_FILE, action: 'create', after: NEW_IGNORE_FILE, why };
  }
  const after = addIgnoreLine(before);
  if (ignoreState(before) === 'allowed') {
    notes.push(`${IGNORE_FILE} takes .ben10 in by a line with "!", so it was left as it is.`);
  }
  const action = after === before ? 'keep' : 'change';
  return { file: IGNORE_FILE, action, before, after, why };
}

import { checkProjectConfig } from '../platform/config.ts';
import { Ben10Error } from '../platform/errors.ts';
import { COMMAND_FILES, planCommands } from './command-files.ts';
import { configTemplate } from './config-template.ts';
import { addExcluded } from './exclude-file.ts';
import { type GitView, gitView } from './git-view.ts';
import type { Binary } from './hook-entry.ts';
import type { Carrier } from './hooks-table.ts';
import { planHooks, planServer, sharesHooks } from './plan-client.ts';
import {
  CONFIG_FILE,
  EXPORTED_FILES,
  JSON_CONFIG_FILE,
  LOCAL_COPY_FILE,
  LOCAL_SETTINGS_FILE,
  OWN_IGNORE_FILE,
  OWN_IGNORE_TEXT,
  type PlannedEdit,
  PRIVATE_FILES,
  planExcludeFile,
  planFile,
  planNew,
  SETTINGS_FILE,
  type SetupPlan,
} from './plan-edit.ts';
import { readProjectFile, resolveProject } from './project-file.ts';
import type { StatusLineChoice } from './status-line.ts';

export interface InitOptions {
  projectDir: string;
  carrier: Carrier;
  /** Puts hooks into the settings that the team shares. They also stay there if git has them. */
  shared: boolean;
  binary: Binary;
  /** Another's status line is kept or wrapped; by default none is added. */
  statusLine?: StatusLineChoice;
  /** Whether slash commands are added; by default not. */
  commands?: boolean;
  /** Of the client's settings for all projects: what is there is not overridden. */
  clientDir?: string;
}

/** What the parts of a plan are made from. */
export interface Planning extends InitOptions {
  git: GitView | undefined;
  notes: string[];
}

/** The plan of `ben10 init`. @throws Ben10Error for files that cannot be read, parsed or trusted */
export function planInit(options: InitOptions): SetupPlan {
  const projectDir = resolveProject(options.projectDir);
  const git = gitView(projectDir);
  const shared = options.shared || (!isLocal(options) && sharesHooks(projectDir, git));
  const planning: Planning = { ...options, projectDir, shared, git, notes: [] };
  refuseToShare(planning);
  const edits = [
    ...planServer(planning),
    ...planHooks(planning),
    ...planConfig(projectDir),
    planNew(projectDir, OWN_IGNORE_FILE, OWN_IGNORE_TEXT, 'keeps the journal out of git'),
    ...planLocalCopy(planning),
    ...(options.commands ? planCommands(projectDir, options.clientDir, planning.notes) : []),
  ].map((edit) => ({ ...edit, isShared: isShared(planning, edit.file) }));
  return { projectDir, edits: [...edits, ...planExclude(planning, edits)], notes: planning.notes };
}

const isLocal = ({ binary }: Pick<InitOptions, 'binary'>): boolean => 'node' in binary;

const isShared = ({ git, shared }: Planning, file: string): boolean =>
  git?.isTracked(file) === true || (shared && file === SETTINGS_FILE);

/** Others may lack the server, and have another copy of ben10. */
function refuseToShare(planning: Planning): void {
  const file = planning.shared ? SETTINGS_FILE : LOCAL_SETTINGS_FILE;
  if (!isShared(planning, file)) return;
  const refuse = (what: string, option: string) => {
    const next = `Run it without ${option}.`;
    throw new Ben10Error('USAGE', `${file} is shared through git: ${what}`, { next });
  };
  if (isLocal(planning)) refuse('paths of this machine do not belong there', '--local');
  if (planning.carrier === 'mcp')
    refuse('where the server is missing, its hooks would fail on the screen', '--hooks mcp');
}

function planConfig(projectDir: string): PlannedEdit[] {
  // A broken one could not be compiled later.
  checkProjectConfig(projectDir);
  // There may only be one configuration.
  if (readProjectFile(projectDir, JSON_CONFIG_FILE).text !== undefined) return [];
  return [planNew(projectDir, CONFIG_FILE, configTemplate(), "shows this project's settings")];
}

/** Without `--local`, the hooks of all copies count again. */
function planLocalCopy({ projectDir, binary }: Planning): PlannedEdit[] {
  const text = 'node' in binary ? `${binary.script}\n` : undefined;
  const why = `hooks of other copies record ${text === undefined ? 'again' : 'nothing here'}`;
  return planFile(projectDir, LOCAL_COPY_FILE, why, () => text);
}

/** What only this machine has must not show up in `git status`. */
function planExclude({ git }: Planning, edits: readonly PlannedEdit[]): PlannedEdit[] {
  const own = edits
    .filter(({ file, action, isShared }) => isPrivate(file) && action !== 'remove' && !isShared)
    .map(({ file }) => file);
  const files = [...own, ...EXPORTED_FILES]
    .filter((file) => git?.isIgnored(file) === false)
    .map((file) => git!.prefix + file);
  if (files.length === 0) return [];
  return planExcludeFile(git!, 'git ignores what is private', (text) => addExcluded(text, files));
}

const isPrivate = (file: string): boolean => [...PRIVATE_FILES, ...COMMAND_FILES].includes(file);

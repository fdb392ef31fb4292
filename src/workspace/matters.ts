import type { ContextState } from '../projections/folds/context.ts';
import { promptsOf } from '../projections/folds/conversation.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import type { EnvironmentChange, WorkState } from '../projections/folds/workspace.ts';

/** Older commands and prompts belong to another task. */
const RUNS_LOOKED_AT = 150;
const PROMPTS_LOOKED_AT = 8;

/** Commands that show that a session uses a tool. */
const PROGRAMS: Readonly<Record<string, RegExp>> = {
  node: /\b(?:node|npm|npx|pnpm|yarn|tsx?|vitest|jest)\b/,
  python: /\b(?:python3?|pip3?|pytest|uv|poetry)\b/,
  rustc: /\b(?:cargo|rustc)\b/,
  go: /\bgo (?:build|run|test|mod|vet|get|install)\b/,
  java: /\b(?:java|javac|mvn|mvnw|gradle|gradlew)\b/,
  ruby: /\b(?:ruby|bundle|rake|rails|rspec)\b/,
  php: /\b(?:php|composer|phpunit)\b/,
  cmake: /\b(?:cmake|ctest|make|ninja)\b/,
};

/** Commands that change a thing of that kind: the agent knows their effect. */
const OWN_DOING: Readonly<Record<string, RegExp>> = {
  repository:
    /\bgit\b[^|;&\n]*\b(?:checkout\b(?![^|;&\n]* -- )|(?:switch|worktree|rebase|bisect|clone|init|submodule|branch +(?:-[mM]|--move))\b)|\bgh pr checkout\b/,
  container:
    /\b(?:docker|podman)(?:[ -]compose)?\b[^|;&\n]*\b(?:run|start|restart|stop|kill|rm|up|down|create|pause|unpause|prune)\b/,
  device: /\b(?:adb|fastboot)\b[^|;&\n]*\b(?:connect|disconnect|reboot|kill-server|emu)\b/,
  server: /\b(?:dev|serve|start|runserver|http\.server|listen)\b/,
  tool: /\b(?:nvm|fnm|volta|n|pyenv|rustup|asdf|mise|sdk|update-alternatives|apt(?:-get)?|brew)\b/,
};

/** Without a branch: commands that move on to another commit. */
const MOVES = /\bgit\b[^|;&\n]*\b(?:commit|pull|merge|reset|revert|cherry-pick|am)\b/;

/** Commands that end a server: one that the agent started may also end by itself. */
const KILLS = /\b(?:kill|pkill|killall|kill-port|fuser)\b/;
/** Such a command names ports: servers on others were ended by somebody else. */
const NAMES_A_PORT = /:\d{2,5}\b|\b\d{2,5}\/tcp\b|\bkill-port +\d/;

/**
 * Whether a change that the session did not cause is worth reporting to it: it works with that thing.
 * @param repository name of the folder's repository; undefined if it holds several: then those count that the
 * session names
 */
export function matters(
  change: EnvironmentChange,
  { tools, conversation }: Pick<ContextState, 'tools' | 'conversation'>,
  work: WorkState | null,
  repository?: string,
): boolean {
  const runs = commandsOf(tools);
  // The checked-out branch concerns all who work here; other repositories and worktrees do not.
  if (change.kind === 'repository') {
    if (change.from === null || tools.total === 0) return false;
    if (repository !== undefined) return change.name === repository;
  }
  const commands = runs.map(({ about }) => about).join('\n');
  if (change.kind === 'tool') return PROGRAMS[change.name]?.test(commands) === true;
  if (change.kind === 'device' && /\b(?:adb|fastboot)\b/.test(commands)) return true;
  const prompts = promptsOf(conversation).slice(-PROMPTS_LOOKED_AT);
  const said = [
    commands,
    ...prompts.map(({ content }) => content),
    work?.taskSummary ?? '',
    work?.notes ?? '',
    ...(work?.todos ?? []).map(({ content }) => content),
  ].join('\n');
  return mentions(said, saidAs(change));
}

/** How people call a thing. */
function saidAs({ kind, name }: EnvironmentChange): string {
  if (kind === 'server') return name.slice(1);
  return kind === 'repository' ? name.replace(/ \((?:worktree|submodule)\)$/, '') : name;
}

/** Whether a command of the session caused a change. */
export function isOwnDoing(
  { kind, at, name, from, to }: EnvironmentChange,
  { tools }: Pick<ContextState, 'tools'>,
): boolean {
  const pattern = kind === 'server' && to === null ? KILLS : OWN_DOING[kind];
  const before = commandsOf(tools).filter((run) => run.at <= at);
  // Without a server the branch is examined once a turn, which may be long.
  const last = kind === 'repository' && before.findLast(({ about }) => pattern?.test(about));
  if (last && to !== null && mentions(last.about, to)) return true;
  const isAbout = ({ about }: ToolRun): boolean => {
    if (kind === 'container') return concernsContainer(about, name);
    if (isOnNoBranch(from) && isOnNoBranch(to) && MOVES.test(about)) return true;
    if (pattern?.test(about) !== true) return false;
    return pattern !== KILLS || !NAMES_A_PORT.test(about) || mentions(about, name.slice(1));
  };
  return before.slice(-RECENT_RUNS).some(isAbout);
}

const isOnNoBranch = (state: string | null): boolean => state?.startsWith('detached at ') === true;

/** Whether a command acts on a container: it names it, or is about several. */
export const concernsContainer = (command: string, name: string): boolean =>
  OWN_DOING.container!.test(command) &&
  (mentions(command, name) || /\b(?:compose|prune)\b/.test(command));

const commandsOf = ({ runs }: ContextState['tools']): ToolRun[] =>
  runs.filter((run) => runsCommands(run) && !run.abandoned).slice(-RUNS_LOOKED_AT);

export const runsCommands = ({ name }: ToolRun): boolean => name === 'Bash';

/** A change is seen within minutes; older commands did not cause it. */
export const RECENT_RUNS = 12;

/** The name as a word of its own. */
function mentions(text: string, name: string): boolean {
  if (name.length < 2) return false;
  for (let from = text.indexOf(name); from !== -1; from = text.indexOf(name, from + 1)) {
    const around = `${text[from - 1] ?? ' '}${text[from + name.length] ?? ' '}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}

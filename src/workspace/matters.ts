import type { ContextState } from '../projections/folds/context.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import type { EnvironmentChange, WorkState } from '../projections/folds/workspace.ts';

/** Commands and prompts further back are another task. */
const RUNS_LOOKED_AT = 150;
const PROMPTS_LOOKED_AT = 8;

/** By which commands a session shows that it uses a tool. */
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

/** Commands that change a thing of that kind: what they bring about the agent knows. */
const OWN_DOING: Readonly<Record<string, RegExp>> = {
  repository:
    /\bgit\b[^|;&\n]*\b(?:checkout\b(?![^|;&\n]* -- )|(?:switch|worktree|rebase|bisect|clone|init|submodule|branch +(?:-[mM]|--move))\b)|\bgh pr checkout\b/,
  container:
    /\b(?:docker|podman)(?:[ -]compose)?\b[^|;&\n]*\b(?:run|start|restart|stop|kill|rm|up|down|create|pause|unpause|prune)\b/,
  device: /\b(?:adb|fastboot)\b[^|;&\n]*\b(?:connect|disconnect|reboot|kill-server|emu)\b/,
  server: /\b(?:dev|serve|start|runserver|http\.server|listen)\b/,
  tool: /\b(?:nvm|fnm|volta|n|pyenv|rustup|asdf|mise|sdk|update-alternatives|apt(?:-get)?|brew)\b/,
};

/** The same of a head that is on no branch: it goes on to another commit. */
const MOVES = /\bgit\b[^|;&\n]*\b(?:commit|pull|merge|reset|revert|cherry-pick|am)\b/;

/** The same of a server that is down: one that was started by the agent may have ended by itself. */
const KILLS = /\b(?:kill|pkill|killall|kill-port|fuser)\b/;
/** Of a command that ends what listens on some ports: others went down by somebody else. */
const NAMES_A_PORT = /:\d{2,5}\b|\b\d{2,5}\/tcp\b|\bkill-port +\d/;

/**
 * Whether a change that a session did not bring about itself is worth a word to it: it is about something that the session works
 * with.
 * @param repository the name of the one that the session's folder is in; undefined where that holds several: then those count
 * that it names
 */
export function matters(
  change: EnvironmentChange,
  { tools, conversation }: Pick<ContextState, 'tools' | 'conversation'>,
  work: WorkState | null,
  repository?: string,
): boolean {
  const runs = commandsOf(tools);
  // Whoever works here works on the branch that is checked out. What is done in another repository or worktree is not theirs.
  if (change.kind === 'repository') {
    if (change.from === null || tools.total === 0) return false;
    if (repository !== undefined) return change.name === repository;
  }
  const commands = runs.map(({ about }) => about).join('\n');
  if (change.kind === 'tool') return PROGRAMS[change.name]?.test(commands) === true;
  if (change.kind === 'device' && /\b(?:adb|fastboot)\b/.test(commands)) return true;
  const prompts = conversation.messages
    .filter(({ role }) => role === 'user')
    .slice(-PROMPTS_LOOKED_AT);
  const said = [
    commands,
    ...prompts.map(({ content }) => content),
    work?.taskSummary ?? '',
    work?.notes ?? '',
    ...(work?.todos ?? []).map(({ content }) => content),
  ].join('\n');
  return mentions(said, saidAs(change));
}

/** How a thing is called where somebody speaks of it. */
function saidAs({ kind, name }: EnvironmentChange): string {
  if (kind === 'server') return name.slice(1);
  return kind === 'repository' ? name.replace(/ \((?:worktree|submodule)\)$/, '') : name;
}

/** Whether a command of the session's brought a change about: one that ran before it was seen, and since it was not so. */
export function isOwnDoing(
  { kind, at, name, from, to }: EnvironmentChange,
  { tools }: Pick<ContextState, 'tools'>,
): boolean {
  const pattern = kind === 'server' && to === null ? KILLS : OWN_DOING[kind];
  const before = commandsOf(tools).filter((run) => run.at <= at);
  // Whoever starts no server has the branch looked at once a turn, and a turn may be long.
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

/** Whether a command does something to a container: it names it, or is about several. */
export const concernsContainer = (command: string, name: string): boolean =>
  OWN_DOING.container!.test(command) &&
  (mentions(command, name) || /\b(?:compose|prune)\b/.test(command));

const commandsOf = ({ runs }: ContextState['tools']): ToolRun[] =>
  runs.filter((run) => runsCommands(run) && !run.abandoned).slice(-RUNS_LOOKED_AT);

export const runsCommands = ({ name }: ToolRun): boolean => name === 'Bash';

/** A change is seen within minutes; what was run long before did not bring it about. */
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

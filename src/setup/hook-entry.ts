import * as path from 'node:path';
import { isRecord } from '../platform/config/value.ts';
import { LOCAL_MARK } from '../platform/local-copy.ts';
import { shellWord } from '../platform/shell-word.ts';
import {
  BACKGROUND_TIMEOUT_S,
  type Carrier,
  type HookRow,
  RECORD_TOOL,
  SERVER_NAME,
} from './hooks-table.ts';

/** How the client starts ben10: from PATH, or by absolute paths. */
export type Binary = { command: 'ben10' } | { node: string; script: string };

/** A handler in the client's settings. */
type Handler =
  | { type: 'command'; command: string; args?: string[]; async?: true; timeout: number }
  | {
      type: 'mcp_tool';
      server: string;
      tool: string;
      input: Record<string, string>;
      timeout: number;
    };

interface HandlerGroup {
  matcher?: '*';
  hooks: [Handler];
}

export function handlerFor(
  row: HookRow,
  carrier: Carrier,
  binary: Binary,
  platform: NodeJS.Platform = process.platform,
): Handler {
  const { timeout } = row;
  if (carrier === 'mcp' && row.carrier === 'mcp') {
    // The client replaces `${path}` with text from the hook's stdin.
    const fields = row.input.map((name) => [name, `\${${name}}`]);
    const input = { hook_event_name: row.event, ...Object.fromEntries(fields) };
    return { type: 'mcp_tool', server: SERVER_NAME, tool: RECORD_TOOL, input, timeout };
  }
  const run =
    row.carrier === 'mcp' ? ({ async: true, timeout: BACKGROUND_TIMEOUT_S } as const) : { timeout };
  if ('command' in binary)
    return { type: 'command', command: guarded(`ben10 hook ${row.name}`), ...run };
  const { node, script } = binary;
  const rest = ['hook', row.name, LOCAL_MARK];
  // On Windows, Git Bash and PowerShell quote differently; `args` needs no quoting (2.1.139).
  if (platform === 'win32') {
    return { type: 'command', command: node, args: [script, ...rest], ...run };
  }
  const command = `[ -f ${shellWord(script)} ] || exit 0; exec ${shellLine(binary, rest)}`;
  return { type: 'command', command, ...run };
}

/** As one types it into sh. */
export const shellLine = (binary: Binary, args: readonly string[]): string =>
  ('command' in binary ? [binary.command] : [binary.node, binary.script])
    .map(shellWord)
    .concat(args)
    .join(' ');

/**
 * The same in every shell, and silent where ben10 is not installed. A POSIX shell does all of it in `eval`, a builtin, and
 * never goes on behind it. PowerShell, which the client takes on Windows without Git Bash, has no `eval` and no `||`: it
 * starts ben10 behind it, and `exit 0` keeps its messages off the screen.
 */
const guarded = (command: string): string =>
  `eval 'command -v ben10 >/dev/null && exec ${command}; exit 0'; ${command}; exit 0`;

/** The command within a guard. */
const unguarded = (command: string): string =>
  /^eval '[^']*'; ([^;]*); exit 0$/.exec(command)?.[1] ??
  /^\[ -f .* \] \|\| exit 0; exec (.*)$/s.exec(command)?.[1] ??
  command;

export function groupFor(row: HookRow, handler: Handler): HandlerGroup {
  return row.matcher ? { matcher: '*', hooks: [handler] } : { hooks: [handler] };
}

export interface OurHandler {
  carrier: Carrier;
  /** For a command: `ben10`, or a path. */
  program?: string;
  /** For a command: the argument of `ben10 hook`. */
  name?: string;
  /** Of `init --local`: where it is, no others count. */
  isLocal?: true;
}

/** Programs that may start ours. */
const STARTERS = new Set(['node', 'npx', 'env', 'exec', 'bunx', 'cmd', '&']);
const OUR_PROGRAM = /^ben10(\.cjs)?$/;

/**
 * Recognises an entry of any version or copy of ben10. A command that does more than start ben10 (`cd x && ben10 hook stop`) is
 * the user's.
 */
export function recogniseHandler(value: unknown): OurHandler | undefined {
  if (!isRecord(value)) return undefined;
  if (value.type === 'mcp_tool') {
    const ours = value.server === SERVER_NAME && value.tool === RECORD_TOOL;
    return ours ? { carrier: 'mcp' } : undefined;
  }
  if (value.type !== 'command' || typeof value.command !== 'string') return undefined;
  const { args } = value;
  const words = Array.isArray(args)
    ? [value.command, ...args.map(String)]
    : shellWords(unguarded(value.command));
  const started = startedProgram(words, 'hook');
  if (started === undefined) return undefined;
  const { program, rest } = started;
  const isLocal = rest.includes(LOCAL_MARK);
  return { carrier: 'command', program, name: rest[0] ?? '', ...(isLocal && { isLocal }) };
}

/** The ben10 that a command line starts, and its arguments. */
export function startedProgram(
  words: readonly string[],
  subcommand: 'hook' | 'serve' | 'statusline',
): { program: string; rest: readonly string[] } | undefined {
  const at = words.findIndex((word) => OUR_PROGRAM.test(programName(word)));
  const program = words[at];
  if (program === undefined || words[at + 1] !== subcommand) return undefined;
  // A script may be started by a Node of any name (`/opt/nodejs20`).
  const known = words.slice(/\.cjs$/i.test(program) ? 1 : 0, at);
  return known.every(isStarter) ? { program, rest: words.slice(at + 2) } : undefined;
}

const isStarter = (word: string) =>
  STARTERS.has(programName(word)) || /^(?:-|\/[ck]$|\w+=)/i.test(word);

/** The file's name, without the extensions of Windows. */
const programName = (word: string) =>
  path.win32
    .basename(word)
    .toLowerCase()
    .replace(/\.(cmd|exe|ps1)$/, '');

/** The words of a shell command, unquoted. */
export function shellWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\]|\\$)+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"|\\(['"\s])/g, '$1$2$3'));
}

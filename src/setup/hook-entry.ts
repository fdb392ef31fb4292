import * as path from 'node:path';
import { isRecord } from '../platform/config/value.ts';
import { shellWord } from '../platform/shell-word.ts';
import { type Carrier, type HookRow, RECORD_TOOL, SERVER_NAME } from './hooks-table.ts';

/** How the client starts ben10: from PATH (portable), or by absolute paths (this machine only). */
export type Binary = { command: 'ben10' } | { node: string; script: string };

/** A handler as the client's settings hold it. */
export type Handler =
  | { type: 'command'; command: string; args?: string[]; timeout: number }
  | {
      type: 'mcp_tool';
      server: string;
      tool: string;
      input: Record<string, string>;
      timeout: number;
    };

export interface HandlerGroup {
  matcher?: '*';
  hooks: [Handler];
}

/** The entry that `init` writes for one hook. */
export function handlerFor(
  row: HookRow,
  carrier: Carrier,
  binary: Binary,
  platform: NodeJS.Platform = process.platform,
): Handler {
  const { timeout } = row;
  if (carrier === 'mcp' && row.carrier === 'mcp') {
    // The client fills `${path}` from the hook's stdin: objects as JSON text, numbers as text.
    const fields = row.input.map((name) => [name, `\${${name}}`]);
    const input = { hook_event_name: row.event, ...Object.fromEntries(fields) };
    return { type: 'mcp_tool', server: SERVER_NAME, tool: RECORD_TOOL, input, timeout };
  }
  const rest = ['hook', row.name];
  if ('command' in binary) {
    return { type: 'command', command: [binary.command, ...rest].join(' '), timeout };
  }
  const { node, script } = binary;
  // On Windows the shell may be Git Bash or PowerShell, which quote differently: `args` needs neither (2.1.139).
  if (platform === 'win32') {
    return { type: 'command', command: node, args: [script, ...rest], timeout };
  }
  const command = [shellWord(node), shellWord(script), ...rest].join(' ');
  return { type: 'command', command, timeout };
}

export function groupFor(row: HookRow, handler: Handler): HandlerGroup {
  return row.matcher ? { matcher: '*', hooks: [handler] } : { hooks: [handler] };
}

/** What a hook entry of ours starts. */
export interface OurHandler {
  carrier: Carrier;
  /** For a command: `ben10`, or the path of the copy that it starts. */
  program?: string;
  /** For a command: what it passes to `ben10 hook`. */
  name?: string;
}

/** Programs and words that may stand before ours in a command: they only start it. */
const STARTERS = new Set(['node', 'npx', 'env', 'exec', 'bunx', 'cmd', '&']);
const OUR_PROGRAM = /^ben10(\.cjs)?$/;

/**
 * Recognises an entry that ben10 wrote, also one by an older version or another copy: by the shape of the command
 * (`ben10 hook …`, `node /path/ben10.cjs hook …`) or by the server's and tool's names. A command that does more than
 * start ben10 (`cd x && ben10 hook stop`) is its author's, not ours.
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
    : shellWords(value.command);
  const started = startedProgram(words, 'hook');
  return started && { carrier: 'command', program: started.program, name: started.rest[0] ?? '' };
}

/** The ben10 that a command line starts with this subcommand, and what follows; undefined when it does not. */
export function startedProgram(
  words: readonly string[],
  subcommand: 'hook' | 'serve',
): { program: string; rest: readonly string[] } | undefined {
  const at = words.findIndex((word) => OUR_PROGRAM.test(programName(word)));
  const program = words[at];
  if (program === undefined || words[at + 1] !== subcommand) return undefined;
  // A script is started by a Node of whatever name (`/opt/nodejs20`).
  const known = words.slice(/\.cjs$/i.test(program) ? 1 : 0, at);
  return known.every(isStarter) ? { program, rest: words.slice(at + 2) } : undefined;
}

const isStarter = (word: string) =>
  STARTERS.has(programName(word)) || /^(?:-|\/[ck]$|\w+=)/i.test(word);

/** The file's name, whichever system's path it is, without what Windows adds to programs. */
const programName = (word: string) =>
  path.win32
    .basename(word)
    .toLowerCase()
    .replace(/\.(cmd|exe|ps1)$/, '');

/** The words of a shell command, unquoted; operators stay as they stand. */
function shellWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\]|\\$)+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"|\\(['"\s])/g, '$1$2$3'));
}

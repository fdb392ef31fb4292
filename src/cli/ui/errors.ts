import { ConfigError } from '../../platform/config/problem.ts';
import { Ben10Error, type ErrorPlace } from '../../platform/errors.ts';
import { ofSystem } from '../../platform/system-error.ts';
import { cleanText, oneLine } from '../../projections/safe-text.ts';
import { EXIT } from '../command.ts';
import type { Ben10Context } from '../context.ts';
import { toJson } from './json.ts';
import { coloursOf } from './terminal.ts';

/** Of an error that nobody foresaw. */
const INTERNAL = 'INTERNAL';

/** What a person, or a program with `--json`, is told. */
interface Report {
  code: string;
  message: string;
  place: ErrorPlace;
  next: string | null;
}

/** Wrong usage is 2; everything else that stops a command is 1. */
export function exitCodeOf(error: unknown): number {
  const usage =
    error instanceof Ben10Error && (error.code === 'USAGE' || error.code === 'POINT_INVALID');
  return usage ? EXIT.usage : EXIT.notSo;
}

/** Says what happened, where, and what next: on stderr, or on stdout as `{"error": …}`. Never a stack unasked. */
export async function printError(
  error: unknown,
  context: Ben10Context,
  json: boolean,
): Promise<void> {
  const hide = await secretsHidden(context);
  const report = reportOf(error);
  if (json) {
    const problems = error instanceof ConfigError ? { problems: error.problems } : {};
    context.stdout.write(`${hide(toJson({ error: { ...report, ...problems } }))}\n`);
  } else {
    context.stderr.write(`${hide(linesOf(error, cleaned(report), context).join('\n'))}\n`);
  }
  if (context.env.BEN10_DEBUG === '1') context.stderr.write(`${hide(stackOf(error))}\n`);
}

/** A message names what was typed, which may be a secret. The rules are loaded for an error only. */
async function secretsHidden(context: Ben10Context): Promise<(text: string) => string> {
  const { compileRedaction, redactText } = await import('../../capture/redaction/index.ts');
  const { options } = compileRedaction({ patterns: await ownPatterns(context) });
  return (text) => redactText(text, options).text;
}

/** The project's own, as far as they can be read: what its settings allow elsewhere need not be repeated here. */
async function ownPatterns(context: Ben10Context) {
  try {
    const { cwd, env } = context; // a folder that is gone throws
    const { projectOrHere } = await import('../open.ts');
    const { loadUsableConfig } = await import('../../platform/config.ts');
    return loadUsableConfig({ projectDir: projectOrHere(cwd), env }).config.redaction.patterns;
  } catch {
    return [];
  }
}

/** A message names what it was given: paths, names, arguments, which may hold what a terminal obeys. */
function cleaned({ code, message, place, next }: Report): Report {
  const { file, ...rest } = place;
  return {
    code,
    // An argument that is quoted in it must not pass for a line of ben10's own.
    message: cleanText(message).replace(/\s*\n\s*/g, ' '),
    place: file === undefined ? rest : { ...rest, file: oneLine(file) },
    next: next === null ? null : cleanText(next),
  };
}

function linesOf(error: unknown, report: Report, context: Ben10Context): string[] {
  const { red, dim } = coloursOf(context.stderr, context.env);
  const lines = [`${red('ben10:')} ${report.message} ${dim(`[${report.code}]`)}`];
  if (error instanceof ConfigError && error.problems.length > 1) {
    for (const one of error.problems) {
      lines.push(`  ${oneLine([placeText(one), one.message].filter(Boolean).join(': '))}`);
    }
  } else if (placeText(report.place) !== '') lines.push(`  at ${placeText(report.place)}`);
  if (report.next !== null) lines.push(`  → ${report.next}`);
  return lines;
}

/** As editors and terminals recognise it: `file:line:column`. */
export function placeText({ file, line, column, offset, seq }: ErrorPlace): string {
  const position = [line, column].filter((part) => part !== undefined).map((part) => `:${part}`);
  const parts = [
    ...(file === undefined ? [] : [`${file}${position.join('')}`]),
    ...(offset === undefined ? [] : [`byte ${offset}`]),
    ...(seq === undefined ? [] : [`@${seq}`]),
  ];
  return parts.join(', ');
}

function reportOf(error: unknown): Report {
  const known = error instanceof Ben10Error ? error : ofSystem(error);
  if (known === undefined) return internalReport(error);
  const { code, message, place, next } = known;
  return { code, message, place, next: next ?? null };
}

function internalReport(error: unknown): Report {
  const text = error instanceof Error ? error.message : String(error);
  return {
    code: INTERNAL,
    message: `something went wrong that should not: ${text}`,
    place: {},
    next: 'Run it again with BEN10_DEBUG=1 to see where, and report it.',
  };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack}${cause}`;
}

/** Clipanion's word for a command line that it cannot read, as ours. */
export function asUsageError(error: unknown, [command = '', ...args]: readonly string[]): unknown {
  if ((error as { clipanion?: unknown } | null)?.clipanion === undefined) return error;
  const [reason = ''] = (error as Error).message.split('\n');
  const missing = /^Not enough positional/.test(reason) && missingArguments(error as Error);
  if (missing) return missing;
  const number = args.find((arg) => /^-\d/.test(arg));
  if (number !== undefined && !args.includes('--'))
    return new Ben10Error('USAGE', `${number} is no option of ben10 ${command}`, {
      next: `If it is meant as a value, write -- before it: -- ${number}`,
    });
  if (reason.startsWith('Invalid option name')) return dashed(command);
  const message = reason.startsWith('Command not found')
    ? `these are not arguments of ben10 ${command}`
    : reason.replace(/\.$/, '').replace(/^./, (first) => first.toLowerCase());
  return new Ben10Error('USAGE', message, { next: `How it is used: ben10 ${command} --help` });
}

/** With what the command takes, as clipanion has it below the reason: `$ ben10 merge [--json] <strategy>`. */
function missingArguments({ message }: Error): Ben10Error | undefined {
  const [, words] = /^\$ \S+ (.*)$/m.exec(message) ?? [];
  const command = words?.split(' ')[0];
  const takes = words?.match(/<[\w-]+>(?= |$)/g)?.join(' ');
  if (command === undefined || takes === undefined) return undefined;
  return new Ben10Error('USAGE', `an argument is missing: ben10 ${command} ${takes}`, {
    next: `How it is used: ben10 ${command} --help`,
  });
}

/** A text that no option takes. It is not said again: it may be a secret. */
const dashed = (command: string): Ben10Error =>
  new Ben10Error('USAGE', 'a text that begins with - is taken for an option', {
    next: `Put it last, behind --: ben10 ${command} … -- "- …"`,
  });

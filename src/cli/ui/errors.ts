import { nearName } from '../../platform/config/nearest.ts';
import { ConfigError } from '../../platform/config/problem.ts';
import { Ben10Error, type ErrorPlace } from '../../platform/errors.ts';
import { ofSystem } from '../../platform/system-error.ts';
import { cleanText, oneLine } from '../../projections/safe-text.ts';
import { EXIT } from '../command.ts';
import type { Ben10Context } from '../context.ts';
import { fitted } from './fit.ts';
import { toJson } from './json.ts';
import { coloursOf, widthOf } from './terminal.ts';

const INTERNAL = 'INTERNAL';

interface Report {
  code: string;
  message: string;
  place: ErrorPlace;
  next: string | null;
}

export function exitCodeOf(error: unknown): number {
  const usage =
    error instanceof Ben10Error && (error.code === 'USAGE' || error.code === 'POINT_INVALID');
  return usage ? EXIT.usage : EXIT.notSo;
}

/** On stderr, or with --json on stdout as `{"error": …}`. A stack only with BEN10_DEBUG=1. */
export async function printError(
  error: unknown,
  context: Ben10Context,
  json: boolean,
): Promise<void> {
  const hide = await secretsHidden(context);
  const report = reportOf(error);
  if (json) {
    const problems = error instanceof ConfigError ? { problems: error.problems } : {};
    const shown = JSON.stringify({ error: { ...report, ...problems } });
    // Each text alone: a marker in the place of a quote or of what escapes one would be no JSON.
    const hidden = JSON.parse(shown, (_, value) =>
      typeof value === 'string' ? hide(value) : value,
    );
    context.stdout.write(`${toJson(hidden)}\n`);
  } else {
    const text = hide(linesOf(error, cleaned(report), context).join('\n'));
    context.stderr.write(`${fitted(text, widthOf(context.stderr, context.env))}\n`);
  }
  if (context.env.BEN10_DEBUG === '1') context.stderr.write(`${hide(stackOf(error))}\n`);
}

/** A message may quote an argument that is a secret. */
async function secretsHidden(context: Ben10Context): Promise<(text: string) => string> {
  const { compileRedaction, redactText } = await import('../../capture/redaction/index.ts');
  const { options } = compileRedaction({ patterns: await ownPatterns(context) });
  return (text) => redactText(text, options).text;
}

/** The project's own rules, if they can be read. */
async function ownPatterns(context: Ben10Context) {
  try {
    const { cwd, env } = context; // throws if the folder is gone
    const { projectOrHere } = await import('../open.ts');
    const { loadUsableConfig } = await import('../../platform/config.ts');
    return loadUsableConfig({ projectDir: projectOrHere(cwd), env }).config.redaction.patterns;
  } catch {
    return [];
  }
}

/** Removes control characters of quoted paths and arguments. */
function cleaned({ code, message, place, next }: Report): Report {
  const { file, ...rest } = place;
  return {
    code,
    // A quoted argument must not look like a line of ben10's.
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

/** `file:line:column`, which editors and terminals recognise. */
function placeText({ file, line, column, offset, seq }: ErrorPlace): string {
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
    message: `unexpected error: ${text}`,
    place: {},
    next: 'Please report it, with the output of a run with BEN10_DEBUG=1.',
  };
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack}${cause}`;
}

/** Clipanion's usage error as a Ben10Error. @param options of the command, as it names them */
export function asUsageError(
  error: unknown,
  [command = '', ...args]: readonly string[],
  options: readonly string[],
  takesText = false,
): unknown {
  if ((error as { clipanion?: unknown } | null)?.clipanion === undefined) return error;
  const [reason = ''] = (error as Error).message.split('\n');
  const unknown = unknownOption(args, options);
  if (unknown !== undefined) return noSuchOption(command, unknown, options, takesText);
  const missing =
    /^Not enough positional/.test(reason) && missingArguments(command, error as Error);
  if (missing) return missing;
  const number = args.find((arg) => /^-\d/.test(arg));
  if (number !== undefined && !args.includes('--'))
    return new Ben10Error('USAGE', `${number} is not an option of ben10 ${command}`, {
      next: `If it is a value, write -- before it: -- ${number}`,
    });
  if (reason.startsWith('Invalid option name')) return dashed(command);
  const message = reason.startsWith('Command not found')
    ? `unknown arguments for ben10 ${command}`
    : reason.replace(/\.$/, '').replace(/^./, (first) => first.toLowerCase());
  return new Ben10Error('USAGE', message, { next: `See: ben10 ${command} --help` });
}

/** A name alone is quoted: a value may be a secret. */
function unknownOption(args: readonly string[], options: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const names = args.slice(0, end === -1 ? undefined : end).map((arg) => arg.split('=', 1)[0]!);
  return names.find(
    (name) => /^(?:-[a-z]|--[a-z][\w-]{1,40})$/i.test(name) && !options.includes(name),
  );
}

function noSuchOption(
  command: string,
  option: string,
  options: readonly string[],
  takesText: boolean,
): Ben10Error {
  const near = option.startsWith('--') ? nearName(option, options) : undefined;
  const asText = takesText ? `. To leave out a word like that: -- ${option}` : '';
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return new Ben10Error('USAGE', `there is no option ${option} of ben10 ${command}${hint}`, {
    next: `See: ben10 ${command} --help${asText}`,
  });
}

/** Names the arguments, from clipanion's message: `$ ben10 merge [--json] <strategy>`. */
function missingArguments(command: string, { message }: Error): Ben10Error | undefined {
  const [, words] = /^\$ \S+ (.*)$/m.exec(message) ?? [];
  const takes = words?.match(/<[\w-]+>(?= |$)/g)?.join(' ');
  if (takes === undefined) return undefined;
  return new Ben10Error('USAGE', `an argument is missing: ben10 ${command} ${takes}`, {
    next: `See: ben10 ${command} --help`,
  });
}

/** Does not quote the text, which may be a secret. */
const dashed = (command: string): Ben10Error =>
  new Ben10Error('USAGE', 'a text that begins with - looks like an option', {
    next: `Put it last, after --: ben10 ${command} … -- "- …"`,
  });

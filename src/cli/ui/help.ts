import { Cli } from 'clipanion';
import { type Ben10CommandClass, loadAll, VERBS } from '../commands.ts';
import type { Ben10Context } from '../context.ts';
import { type Colours, coloursOf, widthOf } from './terminal.ts';
import { wrap } from './wrap.ts';

const HELP_WIDTH_MAX = 100;
const HELP_WIDTH_DEFAULT = 80;

export interface OptionHelp {
  names: string[];
  /** The name of its value: `N`; undefined for a switch. */
  value: string | undefined;
  description: string;
}

/** A description that starts with `<WORD>` names the option's value. */
export function optionsOf(commandClass: Ben10CommandClass): OptionHelp[] {
  const [definition] = Cli.from(commandClass, { binaryName: 'ben10' }).definitions();
  return (definition?.options ?? []).map(({ definition: text, description = '' }) => {
    const [names = '', placeholder] = text.split(' ');
    const [, value, rest = ''] = /^(?:<([^>]+)> )?(.*)$/s.exec(description.trim()) ?? [];
    return { names: names.split(','), value: placeholder && (value ?? 'VALUE'), description: rest };
  });
}

export async function commandHelp(
  { name, commandClass }: { name: string; commandClass: Ben10CommandClass },
  context: Ben10Context,
): Promise<string> {
  const colours = coloursOf(context.stdout, context.env);
  const width = helpWidth(context);
  const { description = '', details = '', examples = [] } = commandClass.usage ?? {};
  const options = optionsOf(commandClass);
  const verbs = await verbRows(name);
  const sections = [
    `${colours.bold(usageLine(name, commandClass, verbs.length > 0))}\n\n${wrap(description, width)}`,
    ...(details === '' ? [] : [marked(wrap(details, width), colours)]),
    ...(verbs.length === 0 ? [] : [section(colours, 'What it does', verbs, width)]),
    section(
      colours,
      'Options',
      [...options.map(optionRow), ['--help, -h', 'Show this help.']],
      width,
    ),
    section(colours, 'Exit codes', exitRows(commandClass), width),
    `${colours.bold('Examples')}\n${examples.map((one) => example(one, width)).join('\n')}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

const verbRows = async (name: string): Promise<[string, string][]> =>
  Array.from(await loadAll(VERBS[name] ?? {}), ([verb, { usage }]) => [
    verb,
    usage?.description ?? '',
  ]);

/** Colours words in backticks, which are to be typed. */
const marked = (text: string, { cyan }: Colours): string =>
  text.replace(/`([^`]+)`/g, (_, words: string) => cyan(words));

/** `ben10 log [RANGE] [options]`, `ben10 pack add <NAME> <SOURCE>... [options]` */
function usageLine(name: string, commandClass: Ben10CommandClass, hasVerbs: boolean): string {
  const [definition] = Cli.from(commandClass, { binaryName: 'ben10' }).definitions();
  const usage = definition?.usage ?? `ben10 ${name}`;
  const rest = restOf(commandClass);
  const many = / /.test(rest) ? `[${rest}]` : `[${rest.toUpperCase()}]...`;
  const words = usage
    .replace(`<${rest}> ...`, `<${rest}>...`)
    .replace(/ \.\.\.$/, ` ${many}`)
    .replace(/[[<][\w-]+[\]>]/g, (word) => word.toUpperCase());
  return `${words}${hasVerbs && rest === '' ? ' [VERB]' : ''} [options]`;
}

/** The name of what may be given any number of times, which the library does not show. */
function restOf(commandClass: Ben10CommandClass): string {
  let rest = '';
  const nothing = () => undefined;
  const builder = {
    addOption: nothing,
    addPositional: nothing,
    addRest: ({ name }: { name: string }) => {
      rest = name;
    },
  };
  for (const [key, option] of Object.entries(new commandClass()))
    (option as { definition?(to: object, key: string): void } | null)?.definition?.(builder, key);
  return rest;
}

const optionRow = ({ names, value, description }: OptionHelp): [string, string] => [
  [names.join(', '), value].filter(Boolean).join(' '),
  description,
];

const exitRows = ({ exits }: Ben10CommandClass): [string, string][] => [
  ['0', exits[0]],
  ['1', exits[1]],
  ['2', exits[2] ?? 'wrong usage: an unknown option, an invalid value'],
];

function section(
  { bold }: Colours,
  title: string,
  rows: readonly [string, string][],
  width: number,
): string {
  const column = Math.max(...rows.map(([left]) => left.length)) + 4;
  const lines = rows.map(([left, right]) => {
    const text = wrap(right, width, ' '.repeat(column)).trimStart();
    return `  ${left.padEnd(column - 2)}${text}`;
  });
  return `${bold(title)}\n${lines.join('\n')}`;
}

function example([what, command]: readonly [string, string], width: number): string {
  const head = what.endsWith('?') ? what : `${what}:`;
  return `${wrap(head, width - 2, '  ')}\n    $ ${command.replaceAll('$0', 'ben10')}`;
}

/** One line for each command, under the headings of their categories. */
export async function overview(context: Ben10Context): Promise<string> {
  const { bold, cyan } = coloursOf(context.stdout, context.env);
  const commands = await loadAll();
  const width = helpWidth(context);
  const column = Math.max(...[...commands.keys()].map((name) => name.length)) + 4;
  const blocks = new Map<string, string[]>();
  for (const [name, { usage }] of commands) {
    const category = usage?.category ?? '';
    const text = wrap(usage?.description ?? '', width, ' '.repeat(column)).trimStart();
    const lines = blocks.get(category) ?? [];
    blocks.set(category, [
      ...lines,
      `  ${cyan(name)}${' '.repeat(column - 2 - name.length)}${text}`,
    ]);
  }
  const parts = [...blocks].map(([category, lines]) => `${bold(category)}\n${lines.join('\n')}`);
  const intro = `${bold('ben10')}: the flight recorder and time machine of coding agents`;
  const outro = 'Help for a command: ben10 COMMAND --help. All commands take --json.';
  return `${[intro, ...parts, outro].join('\n\n')}\n`;
}

function helpWidth(context: Ben10Context): number {
  const width = widthOf(context.stdout, context.env);
  return Number.isFinite(width) ? Math.min(width, HELP_WIDTH_MAX) : HELP_WIDTH_DEFAULT;
}

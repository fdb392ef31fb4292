import type { Named, Names } from '../../log/names.ts';
import { TIME_WORDS } from '../../platform/spans.ts';
import { oneLine } from '../../projections/safe-text.ts';
import type { Choices } from '../command.ts';
import type { Ben10CommandClass } from '../commands.ts';
import { dateTime } from './format.ts';
import { optionsOf } from './help.ts';

export interface Candidate {
  value: string;
  about: string;
}

/** What the journal has by name. */
export interface AllNames extends Names {
  packs: Named[];
  /** Packs, too: a diff and a render take both. */
  packSnapshots: Named[];
}

export const NO_NAMES: AllNames = {
  sessions: [],
  saves: [],
  snapshots: [],
  branches: [],
  packs: [],
  packSnapshots: [],
};

/** Names of options' values that mean the same in all commands. */
const EVERYWHERE: Readonly<Record<string, Choices>> = {
  POINT: 'points',
  ID: 'sessions',
  TIME: TIME_WORDS,
};

const POINTS: readonly Candidate[] = [
  { value: '@head', about: 'now' },
  { value: '@prompt:-1', about: 'just before the last prompt' },
  { value: '@compaction:-1', about: 'just before the last compaction' },
  { value: '@checkpoint:-1', about: 'the last checkpoint made by hand' },
  { value: '@2h', about: 'two hours ago' },
  { value: '@yesterday', about: 'the day before today' },
  { value: '@-10', about: 'ten events ago' },
];

/**
 * What the last word can become; nothing if only the user or the shell can know, as for a text or a file.
 * @param words behind the command's name
 * @param names asked for only where the journal is needed
 */
export function completionsOf(
  commandClass: Ben10CommandClass,
  words: readonly string[],
  names: () => AllNames,
): Candidate[] {
  const options = optionsOf(commandClass).flatMap(({ names: all, value, description }) =>
    all.map((name) => ({ name, value, description })),
  );
  const valueName = (option: string) => options.find(({ name }) => name === option)?.value;
  const typed = words.at(-1) ?? '';
  let given = 0;
  let awaited: string | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited !== undefined) awaited = undefined;
    else if (word.startsWith('-')) awaited = valueName(word);
    else given += 1;
  }
  const [, head = '', option = ''] = /^((--[\w-]+)=)/.exec(typed) ?? [];
  const value = awaited ?? valueName(option);
  if (value !== undefined) {
    const choices = commandClass.choices[value] ?? EVERYWHERE[value] ?? [];
    return fitting(candidates(choices, names), typed, head);
  }
  const choices = commandClass.words[given];
  if (typed.startsWith('-') || (typed === '' && choices === undefined)) {
    const all = options.map(({ name, description }) => ({ value: name, about: description }));
    return fitting([...all, { value: '--help', about: 'Show help.' }], typed);
  }
  const [, from = ''] = /^(.*\.\.)[^.]*$/.exec(typed) ?? [];
  return fitting(candidates(choices ?? [], names), typed, choices === 'points' ? from : '');
}

/** @param head stays in front of the value as it was typed */
export const fitting = (all: readonly Candidate[], typed: string, head = ''): Candidate[] =>
  all
    .map(({ value, about }) => ({ value: head + value, about: oneLine(about) }))
    // Shells are given one a line.
    .filter(({ value }) => value.startsWith(typed) && oneLine(value) === value);

function candidates(choices: Choices, names: () => AllNames): Candidate[] {
  if (choices === 'files') return [];
  if (typeof choices !== 'string') return choices.map((value) => ({ value, about: '' }));
  const found = names();
  const of = (kind: keyof AllNames, before = '', after = '') =>
    found[kind].map(({ name, at }) => ({
      value: `${before}${name}${after}`,
      about: dateTime(at),
    }));
  if (choices !== 'points') return of(choices);
  return [
    ...POINTS,
    ...of('saves', '@save:'),
    ...of('sessions', '@session:'),
    ...of('sessions', '@session:', ':end'),
    ...of('snapshots', '@snapshot:'),
  ];
}

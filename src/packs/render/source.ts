import path from 'node:path';
import { Ben10Error } from '../../platform/errors.ts';
import { headOf } from '../../projections/bounds.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { checkedGlob } from './glob.ts';
import type { Artifact, Kind, Lines } from './pack.ts';

/** What a source means; `parseSource(source)` of its own source is the same. */
export type Parsed = Pick<Artifact, 'kind' | 'source' | 'text'>;

/** Behind the colon. @throws Ben10Error USAGE */
const CHECKS: Partial<Record<Kind, (rest: string) => string>> = {
  glob: checkedGlob,
  git: checkedGit,
  cmd: checkedCommand,
  journal: checkedJournal,
  md_dir: (rest) => encoded(pathOf(rest)),
};
const KINDS = ['file', 'md', 'text', ...Object.keys(CHECKS)];
const SOURCE_CHARS_MAX = 1000;
const TEXT_BYTES_MAX = 64 * 1024;
/** Of a text that stands in the list of sources. */
const HEAD_CHARS = 200;
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;

export const isMarkdown = (name: string): boolean => MARKDOWN.test(name);

/**
 * `file:src/a.ts`, `file:src/a.ts#L40-L88`, `md:…`, `md_dir:docs`, `glob:src/**`, `text:…`, `git:diff -- src`, `cmd:npm test`,
 * `journal:failed`, or a plain path, in the one form that is stored.
 * @throws Ben10Error USAGE
 */
export function parseSource(given: string): Parsed {
  const [, named = '', rest = ''] = /^([a-z_]{2,20}):([\s\S]*)$/.exec(given) ?? [];
  if (named === '') return parseFile('file', given);
  if (!KINDS.includes(named)) {
    throw usage(
      `"${oneLine(named)}" is no kind of source`,
      `Give one of ${KINDS.join(', ')}. A folder is glob:src/**, or md_dir:docs for its Markdown.`,
    );
  }
  const kind = named as Kind;
  if (kind === 'text') return parseText(rest);
  const checked = CHECKS[kind]?.(rest);
  return checked === undefined ? parseFile(kind, rest) : { kind, source: `${kind}:${checked}` };
}

function parseFile(kind: Kind, given: string): Parsed {
  const { name, lines } = split(given);
  const file = encoded(pathOf(name));
  if (kind === 'md' && (lines !== undefined || !isMarkdown(name)))
    throw usage(`${oneLine(given)} is no whole Markdown file`, 'Give it as file:PATH.');
  if (lines === undefined) return { kind, source: `${kind}:${file}` };
  return { kind: 'range', source: `file:${file}${suffixOf(lines)}` };
}

function parseText(text: string): Parsed {
  if (text.trim() === '') throw usage('the text is empty', 'Give it behind text:');
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_BYTES_MAX) {
    throw new Ben10Error(
      'LIMIT_EXCEEDED',
      `the text has ${bytes} bytes, the limit is ${TEXT_BYTES_MAX}`,
      { next: 'Put it into a file, and give that one.' },
    );
  }
  return { kind: 'text', source: `text:${headOf(oneLine(text), HEAD_CHARS)}`, text };
}

function checkedGit(rest: string): string {
  const [what, dashes, ...paths] = rest.trim().split(/\s+/);
  const names = paths.map((one) => withoutSpaces(encoded(pathOf(one.replaceAll('%20', ' ')))));
  const source = names.length === 0 ? 'diff' : `diff -- ${names.join(' ')}`;
  const areNamed = dashes === '--' && names.length > 0;
  if (what === 'diff' && (areNamed || dashes === undefined) && source.length < SOURCE_CHARS_MAX - 4)
    return source;
  throw usage(
    `git:${headOf(oneLine(rest), 60)} is no source`,
    'Give git:diff, or git:diff -- src docs/a.md; revisions are given by --base and --head.',
  );
}

/** What a diff is limited to; nothing is all. */
export const pathsIn = ({ source }: Pick<Artifact, 'source'>): string[] =>
  source
    .split(' ')
    .slice(2)
    .map((one) => decoded(one.replaceAll('%20', ' ')));

function checkedCommand(rest: string): string {
  const command = rest.trim();
  if (command === '') throw usage('the command is empty', 'Give it behind cmd:');
  if (!command.includes('\0') && command.length <= SOURCE_CHARS_MAX - 'cmd:'.length) return command;
  throw usage(
    `${headOf(oneLine(command), 60)} is no command`,
    `A command has up to ${SOURCE_CHARS_MAX - 'cmd:'.length} characters; put a longer one into a script.`,
  );
}

const OF_JOURNAL = /^(touched|edited|read|failed|rules|run=(?=.*[^\s*])([^\x00-\x1f]{1,200}))$/;
const STARS_MAX = 3;

/** What a stored source asks the journal for; the pattern is that of `run`. */
export function journalIn({ source }: Pick<Artifact, 'source'>): {
  what: JournalPart;
  pattern: string;
} {
  const [, part = '', pattern] = OF_JOURNAL.exec(restIn({ source })) ?? [];
  return { what: pattern === undefined ? (part as JournalPart) : 'run', pattern: pattern ?? '' };
}

export type JournalPart = 'touched' | 'edited' | 'read' | 'failed' | 'rules' | 'run';

function checkedJournal(given: string): string {
  const rest = given.trim();
  const isRead = OF_JOURNAL.test(rest) && rest.split('*').length <= STARS_MAX + 1;
  if (isRead) return rest;
  throw usage(
    `journal:${headOf(oneLine(given), 60)} is no source`,
    'Give journal:touched, edited, read, failed, rules, or run= with a command: journal:run=npm test',
  );
}

/** Where a stored source of a file or a folder points to. */
export function placeIn({ kind, source }: Pick<Artifact, 'kind' | 'source'>): {
  path: string;
  lines?: Lines;
} {
  const rest = restIn({ source });
  const { name, lines } = kind === 'range' ? split(rest) : { name: rest };
  return { path: decoded(name), ...(lines && { lines }) };
}

/** A command, a pattern: what stands behind the colon. */
export const restIn = ({ source }: Pick<Artifact, 'source'>): string =>
  source.slice(source.indexOf(':') + 1);

/** `#L40-L88`, `#L7`, `#L7-`. */
export const suffixOf = ({ from, to }: Lines): string =>
  to === from ? `#L${from}` : `#L${from}-${to === undefined ? '' : `L${to}`}`;

const RANGE = /^#L(\d{1,9})(?:(-)(?:L?(\d{1,9}))?)?$/;

function split(given: string): { name: string; lines?: Lines } {
  const at = given.search(/#L[^/]*$/);
  if (at === -1) return { name: given };
  const [, first, dash, last] = RANGE.exec(given.slice(at)) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === undefined ? undefined : Number(last);
  if (!(from >= 1) || (to !== undefined && to < from)) {
    throw usage(
      `${oneLine(given)} has no range of lines`,
      'Lines are #L7, #L7-L9 or #L7-, from 1 on; a # in a name is written %23.',
    );
  }
  return { name: given.slice(0, at), lines: { from, to } };
}

export const fileSource = (name: string): string => `file:${encoded(name)}`;

const withoutSpaces = (name: string): string => name.replaceAll(' ', '%20');

// Only what would mean something else is encoded.
const encoded = (name: string): string => name.replace(/%/g, '%25').replace(/#(?=L)/g, '%23');
const decoded = (name: string): string =>
  name.replace(/%(23|25)/g, (_, hex) => (hex === '23' ? '#' : '%'));

/** A path inside of the project, decoded, with `/`. */
function pathOf(given: string): string {
  const shown = oneLine(given);
  if (given === '') throw usage('the path is empty', 'Give a path from the project’s folder on.');
  if (given.includes('\0') || given.length > SOURCE_CHARS_MAX)
    throw usage(
      `${headOf(shown, 60)} is no path`,
      `A path has up to ${SOURCE_CHARS_MAX} characters.`,
    );
  const slashed = path.sep === '\\' ? given.replaceAll('\\', '/') : given;
  const name = path.posix.normalize(decoded(slashed)).replace(/(?<=.)\/$/, '');
  // On Windows a colon leads to another drive, or to a file's other streams.
  const isAway = /^[A-Za-z]:(?:\/|$)/.test(name) || (path.sep === '\\' && name.includes(':'));
  if (name === '..' || /^(?:\.\.)?\//.test(name) || isAway) {
    throw usage(`${shown} is outside of the project`, 'Give a path from the project’s folder on.');
  }
  return name;
}

export const usage = (message: string, next: string): Ben10Error =>
  new Ben10Error('USAGE', message, { next });

import { type Noteworthy, reasonedIn } from './noteworthy.ts';
import { isObject, textOf } from './tools-text.ts';

/** Decisions in commit messages, decision records (`docs/adr/0007-queue.md`) and task lists. */
const TEXT_CHARS = 8000;
const PART_CHARS = 130;
const RECORD_CHARS = 250;
const TODOS_MAX = 30;

const COMMITS = /\bgit\s(?:-\S+\s+\S+\s+)?commit\b/;
const HEREDOC = /<<-?\s*['"]?(\w+)['"]?\s*\n([\s\S]*?)\n\s*\1\b/;
const MESSAGE = /\s-[a-z]*m\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;
const TRAILER = /^(?:[A-Z][\w-]+-by:|🤖|Generated with|(?:fixes|closes|refs?) #)/i;

const RECORD = /(?:^|[/_-])(?:adrs?|decisions?|rfcs?)(?:[/_.-]|$)/i;
const CHOICE = /^(?:decision|decided|chosen|choice|outcome|resolution|we (?:chose|decided))/i;
const STATUS = /^(?:(?:status|date|deciders?|authors?)\b|(?:accepted|proposed|approved)\.?$)/i;
const REASON =
  /^(?:context|reasons?|why|rationale|motivation|because|drivers?|background|justification)/i;

/** Decisions with reasons in a call's input. */
export function writtenDown(name: string, input: unknown): Noteworthy[] {
  if (!isObject(input)) return [];
  if (name === 'TodoWrite' && Array.isArray(input.todos))
    return input.todos
      .slice(-TODOS_MAX)
      .flatMap((todo) => (isObject(todo) ? reasonedIn(textOf(todo.content) ?? '') : []));
  if (name === 'TaskCreate')
    return reasonedIn(joined([textOf(input.subject) ?? '', textOf(input.description) ?? '']));
  if (name === 'Bash') return reasonedIn(joined(commitMessage(textOf(input.command) ?? '')));
  const file = textOf(input.file_path) ?? '';
  if (name !== 'Write' || !RECORD.test(file) || !/\.(?:md|mdx|txt|rst|adoc)$/i.test(file))
    return [];
  return reasonedIn(recordOf((textOf(input.content) ?? '').slice(0, TEXT_CHARS)), true);
}

/** The subject, and the first paragraph that is no trailer. */
function commitMessage(command: string): string[] {
  if (!COMMITS.test(command)) return [];
  const text = command.slice(0, TEXT_CHARS);
  const whole =
    HEREDOC.exec(text)?.[2] ??
    Array.from(text.matchAll(MESSAGE), ([, double, single]) => double ?? single).join('\n\n');
  const [subject = '', ...body] = paragraphs(whole.replace(/\\n/g, '\n'));
  return [subject, body.find((one) => !TRAILER.test(one)) ?? ''];
}

const paragraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '');

/** A short record whole; else its title, choice and reason. */
function recordOf(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^\s*(?:#+|[-*])\s+|\*\*/g, '').trim());
  const whole = lines.filter((line) => line !== '' && !STATUS.test(line)).join(' · ');
  return whole.length <= RECORD_CHARS ? whole : joined(partsOf(text));
}

function partsOf(text: string): string[] {
  const title = /^#\s+(.*)$/m.exec(text)?.[1] ?? '';
  const parts = text
    .replace(/^#\s.*$/m, '')
    .split(/^#+\s+|\n\s*\n/m)
    .map((one) => one.replace(/\*\*/g, '').trim());
  const part = (sign: RegExp): string => {
    const at = parts.findIndex((one) => sign.test(one));
    if (at === -1) return '';
    const own = parts[at]!.replace(/^[^\n:]*[:\n]?\s*/, '');
    return own === '' ? (parts[at + 1] ?? '') : own;
  };
  const found = [part(CHOICE), part(REASON)];
  return found.every((one) => one === '') ? [title, ...parts.slice(0, 2)] : [title, ...found];
}

const firstOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= PART_CHARS) return line;
  const end = line.slice(0, PART_CHARS).search(/[.;](?:\s[^.;]*)?$/);
  return end > 0 ? line.slice(0, end) : line.slice(0, PART_CHARS);
};

/** `Use gzip for exports: brotli was too slow.` */
const joined = (parts: readonly string[]): string => {
  const [first = '', ...rest] = parts.map(firstOf).filter((one) => one !== '');
  return rest.length === 0 ? first : `${first.replace(/[.:]$/, '')}: ${rest.join(' ')}`;
};

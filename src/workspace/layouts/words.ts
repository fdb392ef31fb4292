import type { Repository, Work } from '../context.ts';

const DAY_MS = 86_400_000;

/** A pipe would begin another cell. */
export const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const tableHead = (...names: string[]): string[] => [
  row(...names),
  `|${names.map((name) => '-'.repeat(name.length + 2)).join('|')}|`,
];

/** `2M 1? ↑1`, or `clean`. */
export function statusOf({ changes, ahead, behind }: Repository): string {
  if (changes === null) return 'not known';
  const parts = [changes, ahead ? `↑${ahead}` : '', behind ? `↓${behind}` : ''];
  return parts.filter(Boolean).join(' ') || 'clean';
}

export const isChanged = (repository: Repository): boolean => statusOf(repository) !== 'clean';

/** Tells several rows of one repository apart. */
export const nameOf = ({ name, kind }: Pick<Repository, 'name' | 'kind'>): string =>
  kind === 'repository' ? name : `${name} (${kind})`;

/** The age of a task that may be over; empty within a day. */
export function ageText({ task, saidAt }: Work, now: number): string {
  const days = Math.floor((now - saidAt) / DAY_MS);
  if (task === '' || saidAt === 0 || days < 1) return '';
  return `(said ${days === 1 ? 'a day' : `${days} days`} ago)`;
}

export const sentencesOf = (text: string): string[] =>
  text === '' ? [] : text.split(/(?<=[.!?;]) /);

const MARKS: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[~]' };
export const todoText = ({ content, status }: Work['todos'][number]): string =>
  `${MARKS[status] ?? '[ ]'} ${content}`;

/** `10:30`, after the date on another day; UTC. */
export function timeText(at: number, now: number): string {
  const text = new Date(at).toISOString();
  const time = text.slice(11, 16);
  return text.slice(0, 10) === new Date(now).toISOString().slice(0, 10)
    ? time
    : `${text.slice(5, 10)} ${time}`;
}

export const more = (left: number): string => `+${left} more`;
export const moreSentences = (left: number): string =>
  `(+${left} ${left === 1 ? 'sentence' : 'sentences'})`;
export const moreLine = (left: number): string => `- … and ${left} more`;
export const moreRow =
  (columns: number) =>
  (left: number): string =>
    row(`… and ${left} more`, ...Array.from({ length: columns - 1 }, () => ''));

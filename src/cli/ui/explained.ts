import { estimateTokens, headOf } from '../../projections/bounds.ts';
import { oneLine } from '../../projections/safe-text.ts';
import type { Explained, explainRecall } from '../../recall/recall.ts';
import { ageOfItem } from '../../recall/render.ts';
import { fold } from './fold.ts';
import { count, plural } from './format.ts';

const SHOWN_CHARS = 160;
const MARK_WIDTH = 12;
const HANG = ' '.repeat(4);

/** What the marks of `Explained.why` mean. */
const WHY: Record<Exclude<Explained['why'], null>, string> = {
  'no room': 'others are worth more for their length, and the budget is used',
  'given already': 'an earlier text of this compaction has it',
  'in the summary': "the compaction's summary has it",
  'the client has it': 'the client shows it to the model itself',
  'worth too little': 'it is worth less than a line',
};

export const round = (value: number): number => Math.round(value * 100) / 100;

/** All candidates, the most important first, under the budget and a legend of the marks that are used. */
export function explainedLines(
  { considered, budget, chars, tokens }: ReturnType<typeof explainRecall>,
  width: number,
  now: number,
): string[] {
  const given = considered.filter((one) => one.given);
  const used = `${count(chars)} of ${count(budget)} characters (about ${count(tokens)} of ${plural(estimateTokens(budget), 'token')})`;
  const head = `${given.length} of ${plural(considered.length, 'item')} are given back, in ${used}.`;
  const folded = (line: string) => fold(line, width, HANG);
  return [
    head,
    '',
    ...legendOf(considered),
    '',
    ...considered.map((one) => lineOf(one, now)),
  ].flatMap(folded);
}

function legendOf(considered: readonly Explained[]): string[] {
  const marks = new Map<string, string>();
  if (considered.some(({ item, given }) => given && item.sure))
    marks.set('in, always', 'it has its place whatever else there is');
  for (const { why } of considered) if (why !== null) marks.set(`out: ${why}`, WHY[why]);
  return [
    'A line: in or out, worth = base × weight × recency × rarity × reuse + names, kind, event and age, text (length).',
    ...[...marks].map(([mark, meaning]) => `- ${mark}: ${meaning}.`),
  ];
}

function lineOf({ item, given, inLineOf, why, chars, names }: Explained, now: number): string {
  const { kind, text, seq, worth, parts } = item;
  const { base, weight, recency, rarity, reuse } = parts;
  const factors = [base, weight, recency, rarity, reuse].map((part) => String(round(part)));
  const made = `${factors.join(' × ')} + ${round(parts.names)}`;
  const what = text === '' ? '(names)' : headOf(oneLine(text), SHOWN_CHARS);
  const more = names === 0 ? '' : `, with ${plural(names, 'name')}`;
  const mark = given ? (item.sure ? 'in, always' : 'in') : `out: ${why}`;
  const size =
    inLineOf === null ? `${chars} characters${more}` : `covered by the line of @${inLineOf}`;
  const age = ageOfItem(item, now);
  const event = age === '' ? `@${seq}` : `@${seq} ${age}`;
  return `${mark.padEnd(MARK_WIDTH)}  ${worth.toFixed(1).padStart(5)} = ${made}  ${kind}  ${event} ${what} (${size})`;
}

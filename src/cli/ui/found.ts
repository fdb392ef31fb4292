import path from 'node:path';
import { oneLine } from '../../projections/safe-text.ts';
import { ageOf } from '../../recall/age.ts';
import { lineOf } from '../../search/matches.ts';
import type { FoundIn, MatchIn } from '../../search/several.ts';
import { matchesIn } from '../../search/snippet.ts';
import { columnsOf, cutTo, pad, padLeft } from './columns.ts';
import { count, dateTime, plural } from './format.ts';
import type { Colours } from './terminal.ts';

export interface FoundLayout {
  width: number;
  now: number;
  colours: Colours;
  /** What may be marked. */
  terms: ReadonlySet<string>;
  isExplained: boolean;
}

/** Least room for the text; a narrow terminal drops columns first. */
const TEXT_WIDTH = 44;
const DAY_MS = 86_400_000;
/** Of what is older a date says more than its age. */
const AGE_DAYS = 60;
/** Of a line, also where it goes into a pipe: a longer one is hard to read. */
const WIDTH_MAX = 180;

/** A line each, its columns aligned: project, where there are several, seq, age, kind, who says so, text. */
export function foundLines(matches: readonly MatchIn[], given: FoundLayout): string[] {
  const layout = { ...given, width: Math.min(given.width, WIDTH_MAX) };
  const columns = [
    ...(matches.some(({ project }) => project !== undefined)
      ? [
          aligned(
            matches.map(({ project = '' }) => oneLine(path.basename(project))),
            pad,
          ),
        ]
      : []),
    aligned(
      matches.map(({ seq }) => `@${seq}`),
      padLeft,
    ),
    aligned(
      matches.map(({ at }) => timeOf(at ?? 0, layout.now)),
      padLeft,
    ),
    aligned(
      matches.map(({ kind }) => kind),
      pad,
    ),
    aligned(
      matches.map(({ basis }) => basis),
      pad,
    ),
  ];
  const headOf = (n: number) => `${columns.map((cells) => cells[n]).join('  ')}  `;
  while (columns.length > 1 && layout.width - columnsOf(headOf(0)) < TEXT_WIDTH) columns.pop();
  return matches.flatMap((match, n) => {
    const line = layout.colours.dim(headOf(n)) + textOf(match, headOf(n), layout);
    return layout.isExplained ? [line, layout.colours.dim(factorsOf(match))] : [line];
  });
}

const timeOf = (at: number, now: number): string =>
  at > 0 && now - at > AGE_DAYS * DAY_MS ? dateTime(at).slice(0, 10) : ageOf(at, now) || '-';

function aligned(cells: readonly string[], align: typeof pad): string[] {
  const size = Math.max(0, ...cells.map(columnsOf));
  return cells.map((cell) => align(cell, size));
}

function textOf(match: MatchIn, head: string, { width, colours, terms }: FoundLayout): string {
  const all = width - columnsOf(head);
  const standing = match.standing === 'in force' ? '' : `  ${match.standing}`;
  // By which event it was left is the first that can be missed.
  const end = all - standing.length < TEXT_WIDTH ? standing.replace(/ by .*/, '') : standing;
  const room = Math.max(1, all - end.length);
  return (
    marked(cutTo(lineOf(match, terms, room), room), terms, colours) + (end && colours.red(end))
  );
}

function marked(text: string, terms: ReadonlySet<string>, { bold, yellow }: Colours): string {
  let upto = 0;
  let line = '';
  for (const { start, end } of matchesIn(text, terms)) {
    // Pairs of characters overlap.
    const from = Math.max(start, upto);
    line += text.slice(upto, from) + bold(yellow(text.slice(from, end)));
    upto = end;
  }
  return line + text.slice(upto);
}

/** `score 12.4 = words 9.1 × coverage 0.87 × … + support 2.2`. */
function factorsOf({ score, parts }: MatchIn): string {
  const { support, ...factors } = parts;
  const product = Object.entries(factors).map(([name, value]) => `${name} ${short(value)}`);
  return `    score ${short(score)} = ${product.join(' × ')} + support ${short(support)}`;
}

/** As `--json` has it; names and order of the keys are stable. */
export function matchJson(match: MatchIn, isExplained: boolean): object {
  const { id, kind, seq, session, at, title, snippet, files, score, standing, project } = match;
  return {
    ...{ id, kind, seq, session, at, title, snippet, files, score, standing },
    ...(project !== undefined && { project }),
    ...(isExplained && { factors: match.parts }),
  };
}

/** `4 of 61 matches, 212,408 texts searched in 9 ms. One of them: ben10 show 4102`. */
export function summaryLine({ matches, of, events, ms, isCut, query, nowhere }: FoundIn): string {
  const all = `${isCut ? 'at least ' : ''}${plural(of, 'match', 'matches')}`;
  const which = matches.length < of ? `${count(matches.length)} of ${all}` : all;
  const searched = `${plural(events, 'text')} searched in ${Math.max(1, Math.round(ms))} ms`;
  const left = query.leftOut > 0 ? ` ${plural(query.leftOut, 'condition')} too many left out.` : '';
  const [first] = matches;
  const where = first?.project === undefined ? '' : ` (in ${oneLine(first.project)})`;
  const parts =
    nowhere.length > 0 ? ` Only parts of ${nowhere.map(oneLine).join(', ')} are there.` : '';
  return `${which}, ${searched}.${left}${parts} One of them: ben10 show ${first?.seq}${where}`;
}

const short = (value: number): string => String(Math.round(value * 100) / 100);

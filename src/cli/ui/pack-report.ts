import type { Factor } from '../../packs/use/factor.ts';
import type { ItemUse, PackReport } from '../../packs/use/report.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import { count, plural } from './format.ts';

const SHOWN_MAX = 10;
/** An estimate is not told to the last token. */
const ABOUT = 100;

export function reportLines(name: string, report: PackReport, about: Factor | null): string[] {
  const { given, sessions, lost, items, missed, factors } = report;
  if (given === 0)
    return [
      `No session was given ${name} through ben10’s tools yet.`,
      ...(about === null ? [] : [factorLine(about)]),
    ];
  const unused = items.filter((one) => one.edited + one.named + one.readAgain === 0);
  return [
    `given ${plural(given, 'time')} in ${plural(sessions, 'session')}${sharePart(report)}${againPart(items)}`,
    ...listed(
      'edited',
      items.filter(({ edited }) => edited > 0),
      ({ label, edited }) => `${shown(label)} (${edited} of ${given})`,
    ),
    ...listed('never used', unused, ({ label, tokens }) => `${shown(label)} (${count(tokens)})`),
    ...listed(
      'opened within 20 calls and not in it',
      missed,
      (one) => `${shown(one.file)} (${one.sessions} of ${plural(sessions, 'session')})`,
    ),
    ...(lost > 0
      ? [`${plural(lost, 'time')} cannot be judged: what was given is lost or erased`]
      : []),
    ...(factors.length > 0 ? factors : about === null ? [] : [about]).map(factorLine),
  ];
}

const shown = (name: string): string => withVisible(oneLine(name));

const sharePart = ({ usedShare }: PackReport): string =>
  usedShare === null ? '' : `; ${Math.round(usedShare * 100)} % of its tokens were used`;

function againPart(items: readonly ItemUse[]): string {
  const again = items.filter(({ readAgain }) => readAgain > 0);
  if (again.length === 0) return '';
  const tokens = again.reduce((sum, { readTokens }) => sum + readTokens, 0);
  const names = again.slice(0, SHOWN_MAX).map(({ label }) => shown(label));
  return `; ${count(tokens)} were read again by the agent (${names.join(', ')}, same bytes)`;
}

function listed<T>(what: string, all: readonly T[], textOf: (one: T) => string): string[] {
  if (all.length === 0) return [];
  const more = all.length > SHOWN_MAX ? `, ${all.length - SHOWN_MAX} more` : '';
  return [`${what}: ${all.slice(0, SHOWN_MAX).map(textOf).join(', ')}${more}`];
}

/** `claude-opus-4-8: × 1.31 of the tokens here (1.29 to 1.34, measured on 6 renders)` */
function factorLine({ model, factor, renders, spread }: Factor): string {
  const how =
    spread === null
      ? 'about; not measured yet'
      : `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}, measured on ${plural(renders, 'render')}`;
  return `${shown(model)}: × ${factor.toFixed(2)} of the tokens here (${how})`;
}

/** `claude-opus-4-8: about 29,500 tokens (× 1.31, measured on 6 renders)` */
export function aboutLine({ model, factor, renders }: Factor, tokens: number): string {
  const how = renders === 0 ? 'not measured yet' : `measured on ${plural(renders, 'render')}`;
  const about = count(Math.round((tokens * factor) / ABOUT) * ABOUT);
  return `${shown(model)}: about ${about} tokens (× ${factor.toFixed(2)}, ${how})`;
}

import { oneLine } from '../../projections/safe-text.ts';
import type { BesideDamage } from '../../timetravel/beside-damage.ts';
import type { StoredDamage } from '../../timetravel/stored-damage.ts';
import { TEXT_WIDTH, wrap } from './wrap.ts';

/** What is kept beside the events and is not what was kept. */
export function besideLines(
  stored: readonly StoredDamage[],
  beside: readonly BesideDamage[],
): string[] {
  const rebuilt = stored.filter(({ canBeRebuilt }) => canBeRebuilt);
  return [
    ...listed(OF_LOST, stored.filter(({ canBeRebuilt }) => !canBeRebuilt).map(storedLine)),
    ...listed(OF_REBUILT, rebuilt.filter(({ is }) => is === 'damaged').map(storedLine)),
    ...listed(
      OF_MISSING,
      rebuilt
        .filter(({ is }) => is === 'missing')
        .map(({ name, file }) => `${oneLine(name)}: ${oneLine(file)}`),
    ),
    ...listed(
      OF_OWN,
      beside.map(({ file }) => oneLine(file)),
    ),
  ];
}

const storedLine = ({ name, is, code, file }: StoredDamage): string =>
  `${oneLine(name)} is ${is} (${code}): ${oneLine(file)}`;

const listed = (what: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', wrap(what, TEXT_WIDTH), ...lines.map((line) => `  ${line}`)];

const OF_LOST =
  'Stored states that are not what was stored, and that the journal cannot make again: it does not reach back to them, or is damaged itself:';
const OF_REBUILT =
  'Stored states that are not what was stored; a restore makes them again from the journal:';
const OF_MISSING =
  'Stored states that are not there, as after an erasure; a restore makes them again from the journal:';
const OF_OWN =
  'Damaged files that ben10 makes of the journal for itself; nothing is lost with them, it makes them again when it needs them:';

import { oneLine } from '../../projections/safe-text.ts';
import type { BesideDamage } from '../../timetravel/beside-damage.ts';
import type { StoredDamage } from '../../timetravel/stored-damage.ts';
import { wrap } from './wrap.ts';

/** Damaged stored states and other files, for `ben10 verify`. */
export function besideLines(
  stored: readonly StoredDamage[],
  beside: readonly BesideDamage[],
): string[] {
  const rebuilt = stored.filter(({ canBeRebuilt }) => canBeRebuilt);
  return [
    ...listed(OF_LOST, stored.filter(({ canBeRebuilt }) => !canBeRebuilt).map(storedLine)),
    ...listed(OF_REBUILT, rebuilt.filter(({ is }) => is === 'damaged').map(storedLine)),
    ...listed(OF_MISSING, rebuilt.filter(({ is }) => is === 'missing').map(missingLine)),
    ...listed(OF_OWN, beside.map(fileLine)),
  ];
}

const storedLine = ({ name, is, code, file }: StoredDamage): string =>
  `${oneLine(name)} is ${is} (${code}): ${oneLine(file)}`;

const missingLine = ({ name, file }: StoredDamage): string => `${oneLine(name)}: ${oneLine(file)}`;
const fileLine = ({ file }: BesideDamage): string => oneLine(file);

const listed = (what: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', wrap(what), ...lines.map((line) => `  ${line}`)];

const OF_LOST =
  'Damaged stored states that cannot be rebuilt, because the journal does not reach back to them or is damaged itself:';
const OF_REBUILT = 'Damaged stored states; a restore rebuilds them from the journal:';
const OF_MISSING =
  'Missing stored states, for instance after an erasure; a restore rebuilds them from the journal:';
const OF_OWN =
  'Damaged files that ben10 rebuilds from the journal when it needs them; nothing is lost:';

import { PRIVATE_TAG } from '../private-tag.ts';
import type { Rule } from '../rule.ts';
import { COMMANDS } from './commands.ts';
import { CONTEXTS } from './contexts.ts';
import { DOCUMENTS } from './documents.ts';
import { LABEL_RULES } from './label-rules.ts';
import { PEM_RULES } from './pem.ts';
import { SHAPED } from './shaped.ts';
import { TOKEN_LINES, tokenRule } from './token-rules.ts';
import { VENDOR_LINES, vendorRule } from './vendor-rules.ts';

/** Every rule that ben10 brings, the more telling before the more general: of two that find the same, the first names it. */
const ROWS: readonly (Rule | string)[] = [
  PRIVATE_TAG,
  ...PEM_RULES,
  ...SHAPED,
  ...TOKEN_LINES,
  ...VENDOR_LINES,
  ...CONTEXTS,
  ...COMMANDS,
  ...DOCUMENTS,
  ...LABEL_RULES,
];
const FIRST_VENDOR = 1 + PEM_RULES.length + SHAPED.length + TOKEN_LINES.length;

export const RULE_COUNT = ROWS.length;
const made: Rule[] = [];

/** The rule at this place in the table. Lines become rules only here: a hook needs two or three of them. */
export function ruleAt(rank: number): Rule {
  const row = ROWS[rank]!;
  if (typeof row !== 'string') return row;
  made[rank] ??= rank < FIRST_VENDOR ? tokenRule(row) : vendorRule(row);
  return made[rank];
}

export const allRules = (): Rule[] => ROWS.map((_, rank) => ruleAt(rank));

/** What finds may be named by. */
export const ruleIds = (): string[] => [
  ...new Set(
    ROWS.flatMap((row) =>
      typeof row === 'string' ? row.slice(0, row.indexOf(' ')) : [row.id, ...(row.ids ?? [])],
    ),
  ),
];

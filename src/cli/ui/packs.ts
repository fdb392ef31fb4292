import type { PackPolicy } from '../../events/types.ts';
import { count } from './format.ts';

const FILL_TEXT: Readonly<Record<PackPolicy['fill'], string>> = {
  prefix: 'what has the lowest priority is dropped first',
  fill: 'what does not fit is left out, and smaller ones are taken',
  fail: 'if something does not fit, nothing is rendered',
};

export function policyLine(
  name: string,
  { budgetTokens, fill, tokenizer, layout }: PackPolicy,
): string {
  const order = layout === 'stable' ? '; what changes most comes last' : '';
  if (budgetTokens === null) return `Pack ${name}: no limit (${tokenizer})${order}.`;
  return `Pack ${name}: at most ${count(budgetTokens)} tokens (${tokenizer}); ${FILL_TEXT[fill]}${order}.`;
}

import { Option } from 'clipanion';
import type { PackPolicy } from '../../events/types.ts';
import { BUDGET_TOKENS_MAX, BUDGET_TOKENS_MIN } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { Ben10Command } from '../command.ts';
import { oneOf } from '../ui/arguments.ts';
import { count } from '../ui/format.ts';

export const FILLS = ['prefix', 'fill', 'fail'] as const;
export const TOKENIZERS = ['cl100k', 'o200k'] as const;
export const LAYOUTS = ['rank', 'stable'] as const;

/** `none` is no limit. @throws Ben10Error USAGE */
export function budgetOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'none') return text && null;
  const tokens = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (tokens >= BUDGET_TOKENS_MIN && tokens <= BUDGET_TOKENS_MAX) return tokens;
  const range = `${count(BUDGET_TOKENS_MIN)} to ${count(BUDGET_TOKENS_MAX)}`;
  throw new Ben10Error('USAGE', `--budget takes ${range} tokens, or none, not "${text}"`, {
    next: 'For example: --budget 20000, or --budget none for no limit',
  });
}

/** A command that sets how a pack is rendered. */
export abstract class PolicyCommand extends Ben10Command {
  static override choices = { FILL: FILLS, TOKENIZER: TOKENIZERS, LAYOUT: LAYOUTS };

  budget = Option.String('--budget', {
    description: '<TOKENS> The most that it renders, or none for no limit.',
  });
  fill = Option.String('--fill', {
    description:
      '<FILL> At the first item that does not fit: prefix leaves out all lower ones, fill takes smaller ones, fail renders nothing.',
  });
  tokenizer = Option.String('--tokenizer', { description: '<TOKENIZER> cl100k or o200k.' });
  layout = Option.String('--layout', {
    description: '<LAYOUT> rank: the highest priority first; stable: what changes most comes last.',
  });

  /** @throws Ben10Error USAGE */
  protected get asked(): Partial<PackPolicy> {
    const { fill, tokenizer, layout } = this;
    const budgetTokens = budgetOf(this.budget);
    return {
      ...(budgetTokens !== undefined && { budgetTokens }),
      ...(fill !== undefined && { fill: oneOf('--fill', fill, FILLS) }),
      ...(tokenizer !== undefined && { tokenizer: oneOf('--tokenizer', tokenizer, TOKENIZERS) }),
      ...(layout !== undefined && { layout: oneOf('--layout', layout, LAYOUTS) }),
    };
  }
}

import { describe, expect, it, test } from 'vitest';
import { context } from '../../../src/projections/folds/context.ts';
import { allPreferences } from '../../../src/projections/folds/preferences.ts';
import { isRevocation, revokes, standing } from '../../../src/projections/folds/revocations.ts';
import { factOf, foldOf } from '../support/telling.ts';

describe('a rule is taken back', () => {
  test.each([
    [
      'forget the rule about make fmt, CI does it now',
      'please always run make fmt before you commit',
    ],
    ['pnpm rule no longer applies, switch to bun', 'we use pnpm here, not npm'],
    ['Ignore what I said about the cache TTL.', 'Keep the cache TTL below 30 s.'],
    ['btw forget what i said about short answers', 'Keep your answers short please.'],
    ['oh and forget what I said about German', 'Always answer in German.'],
    ['You can touch payments again.', "don't touch payments"],
    ['Release is out, you can touch payments again.', "for now don't touch payments"],
    ["The rule on signed commits doesn't apply anymore.", 'All commits must be signed.'],
    ['no need to run make fmt anymore', 'always run make fmt'],
    ['please drop the policy on migrations', 'every migration needs a down()'],
  ])('%s', (sentence, rule) => {
    expect(isRevocation(sentence)).toBe(true);
    expect(revokes(sentence, rule)).toBe(true);
  });

  test.each([
    'Forget it.',
    'Forget that rule.',
    'Always run make fmt.',
    'Should I forget the rule about make fmt?',
    'The deadline moved: freeze is on 3 Dec, not 10 Dec.',
    'Drop the column `legacy_id`.',
    'You can run the tests now.',
    'Ignore the whitespace changes in the diff.',
    'The rule engine is slow.',
  ])('but not by: %s', (sentence) => {
    expect(isRevocation(sentence)).toBe(false);
  });

  it('leaves the rules that it does not name', () => {
    expect(revokes('forget the rule about make fmt', 'always run make lint')).toBe(false);
    expect(revokes('pnpm rule no longer applies', 'commits must be signed off')).toBe(false);
  });

  it('for as long as it is not said again, in whatever session', () => {
    const rule = { text: 'always run make fmt', at: 10, seq: 1 };
    const back = { text: 'forget the rule about make fmt', at: 20, seq: 2 };
    expect(standing([rule, back])).toEqual([back]);
    expect(standing([rule], [back])).toEqual([]);
    const again = { ...rule, at: 30, seq: 3 };
    expect(standing([again, back])).toEqual([again, back]);
  });

  it('by a sentence that is kept like a rule, and undone by a rewind to before it', () => {
    const said = (text: string, pos: number, rewoundTo?: number) => ({
      ...factOf('prompt.submitted', { text }),
      trace: { pos, ...(rewoundTo !== undefined && { rewoundTo }) } as never,
    });
    const facts = [
      said('Always run make fmt before you commit.', 10),
      said('Forget the rule about make fmt, CI does it now.', 20),
    ];
    const texts = (...all: Parameters<typeof foldOf>[1]) =>
      standing(allPreferences(foldOf(context, all).preferences)).map(({ text }) => text);
    expect(texts(...facts)).toEqual(['Forget the rule about make fmt, CI does it now.']);
    expect(texts(...facts, said('Go on.', 30, 15))).toEqual([
      'Always run make fmt before you commit.',
    ]);
  });
});

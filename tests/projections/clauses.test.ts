import { describe, expect, it } from 'vitest';
import { bare, userSentencesOf } from '../../src/projections/clauses.ts';

describe('what is only said around a sentence', () => {
  it.each([
    ['hm, ok, the parser drops the last row', 'the parser drops the last row'],
    ['Hi there is no config', 'Hi there is no config'],
    ['Thanks! Never log the token, please.', 'Never log the token'],
    ['By the way: staging runs on port 8443', 'staging runs on port 8443'],
    [
      'Before I leave for today: never restart the broker by hand',
      'never restart the broker by hand',
    ],
    ['ok', 'ok'],
  ])('of %j leaves %j', (said, left) => {
    expect(bare(said)).toBe(left);
  });

  it('is not who says it: what a linter says stays quoted', () => {
    const said = 'The linter says on every run: never use var';
    expect(bare(said)).toBe(said);
  });
});

describe('the sentences of a prompt', () => {
  it('are told apart also where somebody writes everything small and without full stops', () => {
    expect(
      userSentencesOf(
        'can you rename the old exporter, never touch the billing schema, why does login take so long, thx',
      ),
    ).toEqual([
      'can you rename the old exporter',
      'never touch the billing schema',
      'why does login take so long',
    ]);
    expect(userSentencesOf('the build is green again. we keep node 20 for now.')).toEqual([
      'the build is green again.',
      'we keep node 20 for now.',
    ]);
  });

  it('are not cut behind a condition, in a list, in code or behind an abbreviation', () => {
    for (const whole of [
      'When you change the schema, update the docs of the API',
      'Use tabs, not spaces, and keep lines short',
      'Run `deploy --to staging, the first` for it',
      'Keep small helpers, e.g. parsers, in lib/',
    ])
      expect(userSentencesOf(whole)).toEqual([whole]);
  });

  it('stand with the one before where they say nothing without it', () => {
    expect(userSentencesOf('You wrote due_day into the form. It has to be due_date.')).toEqual([
      'You wrote due_day into the form. It has to be due_date.',
    ]);
    expect(userSentencesOf('Not max_items! The limit is max_rows.')).toEqual([
      'Not max_items! The limit is max_rows.',
    ]);
    expect(userSentencesOf('The form works. It looks good.')).toHaveLength(2);
  });
});

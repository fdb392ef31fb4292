import { describe, expect, it, test } from 'vitest';
import type { Note } from '../../../src/projections/folds/evidence-notes.ts';
import {
  refutedByAgent,
  refutedByUser,
  standAgain,
} from '../../../src/projections/folds/refuted.ts';

const noteOf = (text: string, tick: number, kind: Note['kind'] = 'finding'): Note => {
  return { kind, text, weight: 50, seq: tick, at: tick, tick, pos: tick };
};
const BY = { seq: 9, pos: 90 };
const GUESS = noteOf('I think the crash is caused by the cache TTL of 30 s.', 5);
const FACT = noteOf('The p99 is 2.97 ms.', 5);
const marks = (notes: readonly Note[]) => notes.map(({ refuted }) => refuted !== undefined);

describe('what the agent supposed', () => {
  test.each([
    'wrong guess. the crash is from the double free in addon.cc:212',
    'That was not it.',
    "that's not the cause",
    'Your theory is wrong.',
    'No, that is not the problem. It is the fixture.',
  ])('is refuted when the user says: %s', (text) => {
    expect(marks(refutedByUser([GUESS, FACT], text, 4, BY))).toEqual([true, false]);
  });

  test.each([
    'Good, go on.',
    'Was that the cause?',
    'It is not finished yet.',
    'You forgot the tests.',
    'Now look at the importer. That was not it there.. was it?',
  ])('stands when the user says: %s', (text) => {
    expect(marks(refutedByUser([GUESS, FACT], text, 4, BY))).toEqual([false, false]);
  });

  test.each([
    ['nicht Memcached, das ist auf dem Host gar nicht installiert', true],
    ['No, not Memcached, take the table we have', true],
    ['pas Memcached – on l’a retiré', true],
    ['nicht Kafka, das ist zu groß', false],
    ['nicht schlecht, weiter so', false],
  ])('is refuted by name: %s', (text, isRefuted) => {
    const chosen = noteOf(
      'Ich lege die Sitzungen in Memcached ab, nicht schlecht für den Anfang.',
      5,
    );
    expect(marks(refutedByUser([chosen], text, 4, BY))).toEqual([isRefuted]);
  });

  test('before the prompt before stands', () => {
    expect(marks(refutedByUser([GUESS], 'wrong guess', 5, BY))).toEqual([false]);
  });

  test('is refuted by the agent itself, with what it did for that reason', () => {
    const cause = noteOf('The flake was caused by the clock skew.', 5);
    const done = noteOf('so I set TZ=UTC in tox.ini.', 7, 'decision');
    const said = noteOf('The user asked for it.', 7, 'said');
    expect(marks(refutedByAgent([cause, FACT, done, said], 'That was not it.', 4, BY))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(marks(refutedByAgent([cause], 'The test is not green yet.', 4, BY))).toEqual([false]);
  });
});

describe('what the agent decided', () => {
  const decision = noteOf(
    'I decided to add bytes = "1.5" because vendoring breaks it.',
    5,
    'decision',
  );

  it('is refuted when the user corrects what it names', () => {
    const text = 'actually no: do not use bytes 1.5, we are stuck on 1.4';
    expect(marks(refutedByUser([decision, FACT], text, 4, BY))).toEqual([true, false]);
    expect(marks(refutedByUser([decision], 'actually no: use src/a.ts', 4, BY))).toEqual([false]);
  });

  test.each([
    ['no, not redis. ops refuses to run another one.', true],
    ["No, don't use Redis. Use Postgres.", true],
    ['use postgres instead of redis', true],
    ['please use Postgres, not Redis', true],
    ["don't use it in the tests", false],
    ['no, not now', false],
    ['use redis instead of memcached', false],
    ['why did you use Postgres and not Redis?', false],
  ])('is refuted by a plain name: %s', (text, isRefuted) => {
    const chosen = 'I will store the keys in Redis with a TTL, because it expires them by itself.';
    const way = noteOf(chosen, 5, 'decision');
    const measured = noteOf('Redis took 312 ms for it.', 5);
    expect(marks(refutedByUser([way, measured], text, 4, BY))).toEqual([isRefuted, false]);
  });

  test.each([
    'I use Postgres instead of Redis, because ops runs it already.',
    'I will not use Redis, as it is one more thing to run.',
  ])('stands where it says the same as the user: %s', (text) => {
    const same = noteOf(text, 5, 'decision');
    expect(marks(refutedByUser([same], 'right, do not use Redis', 4, BY))).toEqual([false]);
  });

  it('stands again after a rewind to before that', () => {
    const [refuted] = refutedByUser([decision], 'actually no: not 1.5', 4, BY);
    expect(refuted?.refuted).toEqual(BY);
    expect(standAgain(refuted!, 80)).toEqual(decision);
    expect(standAgain(refuted!, 90)).toEqual(refuted);
  });
});

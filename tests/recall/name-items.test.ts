import { describe, expect, it } from 'vitest';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { mention, noNames } from '../../src/projections/folds/evidence-names.ts';
import { namesByHome, namesStated } from '../../src/recall/name-items.ts';

const FILE = '/app/mix.py';

/** The names of a file that an edit brings into play. */
function namesOf(edit: string): string[] {
  const names = mention(noNames(), edit, { by: 'input', seq: 1, tick: 1, home: FILE, pos: null });
  const state = { ...evidence.initial(), names, tick: 1 };
  return namesByHome(state, [FILE], (text) => text)
    .get(FILE)!
    .map(({ text }) => text);
}

describe('the names that a file is given back with', () => {
  it('are those that somebody coined, not everybody’s words', () => {
    const edit =
      'print(mix_layers(len(chords))); MAX_VOLUME = 0.835; render(chordNotes)  # SEE MORE';
    const names = namesOf(edit);
    expect(names).toEqual(expect.arrayContaining(['mix_layers', 'MAX_VOLUME', 'chordNotes']));
    expect(names).toEqual(expect.not.arrayContaining(['print', 'render', 'SEE', 'MORE']));
  });

  it('are no short numbers without what they count', () => {
    expect(namesOf('volume = 0.5; rate = 44100; wait = 250ms')).toEqual(
      expect.arrayContaining(['44100', '250ms']),
    );
    expect(namesOf('volume = 0.5; rate = 44100')).not.toContain('0.5');
  });
});

it('a name with a comma or a colon in it that a line has is told by that line', () => {
  const told = namesStated([
    { text: 'It lost 0.01 at 4,503,599 entries on http://localhost:3000/a.' },
  ]);
  expect([...told]).toEqual(expect.arrayContaining(['4,503,599', 'http://localhost:3000/a']));
});

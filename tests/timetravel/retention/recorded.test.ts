import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import type { Project } from '../../../src/project/open.ts';
import { readEvents } from '../../../src/projections/events.ts';
import { dropOld, wouldDrop } from '../../../src/timetravel/retention/retention.ts';
import { prompt } from '../../log/events.ts';
import { decoders } from '../../support.ts';
import { testProject } from '../project.ts';
import { codecs } from './old.ts';

/** Two closed segments of three prompts each, and an open one. */
function project(): Project {
  const made = testProject();
  for (const words of [['one', 'two', 'three'], ['four', 'five', 'six'], ['seven']]) {
    made.writer.append(words.map((text) => prompt(text)));
    if (words.length > 1) made.writer.rotate(0);
  }
  return made;
}

/** Writes over some of a prompt's words in the first segment. */
function lose({ reader }: Project, words: string): void {
  const file = reader.segments()[0]!.path;
  const bytes = readFileSync(file);
  const at = bytes.indexOf(`${String.fromCharCode(0xa0 + words.length)}${words}`, 0, 'latin1');
  writeFileSync(file, bytes.fill('x', at + 1, at + 1 + words.length));
}

const promptsIn = ({ reader, ports }: Project): number =>
  [...readEvents(reader, ports.xxh64, { types: ['prompt.submitted'] })].length;

test.each([
  ['in the middle of a segment', 'two'],
  ['at its end', 'three'],
])('a loss %s keeps old events, until a repair has recorded it', (_, words) => {
  const made = project();
  lose(made, words);
  const { dir, ports, root } = made;
  expect(() => dropOld(testProject({ dir }), 0, codecs)).toThrow(
    expect.objectContaining({ code: 'JOURNAL_DAMAGED' }),
  );
  expect(repairJournal(ports, root, decoders).lost).toHaveLength(1);
  const repaired = testProject({ dir });
  repaired.writer.rotate(0);
  expect(promptsIn(repaired)).toBe(6);
  expect(wouldDrop(repaired, 0)?.events).toBe(6);
  expect(dropOld(repaired, 0, codecs)).toMatchObject({ events: 6 });
  expect(promptsIn(repaired)).toBe(0);
  expect(verifyJournal(ports, root, decoders).damage).toEqual([]);
});

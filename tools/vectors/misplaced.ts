import {
  after,
  drafts,
  FIRST,
  FOREIGN_JOURNAL_ID,
  ORIGIN_A,
  ORIGIN_B,
  type Segment,
  segment,
} from './compose.ts';
import type { MadeVector } from './model.ts';
import { damage, eventsOf, journal, LOST_MANIFEST } from './vector.ts';

/** Files under the names of segments that do not belong where they stand. */
export function misplacedVectors(): MadeVector[] {
  return [...foreign(), ...unowned(), copiedBeside(), notAFile(), noSeqs()];
}

function foreign(): MadeVector[] {
  const one = segment('foreign 1', FIRST, drafts('foreign a', 2));
  const two = segment('foreign 2', after(one), drafts('foreign b', 2));
  const three = segment('foreign 3', after(two), drafts('foreign c', 2));
  const of = (start: { journalId?: string; origin?: string }): Segment => ({
    ...segment('foreign 2', { ...after(one), ...start }, drafts('foreign b', 2)),
    origin: one.origin,
  });
  const expectation = {
    events: eventsOf([one, three]),
    damage: [damage('segment-header', two, 0, 3, 4)],
  };
  return [
    journal(
      'hostile/foreign-journal',
      'A segment of another journal in the middle, with a chain that fits.',
      [one, of({ journalId: FOREIGN_JOURNAL_ID }), three],
      expectation,
    ),
    journal(
      'hostile/foreign-journal-no-manifest',
      'The same without a manifest: the first segment says which journal it is.',
      [one, of({ journalId: FOREIGN_JOURNAL_ID }), three],
      { ...expectation, damage: [...expectation.damage, LOST_MANIFEST], manifest: false },
    ),
    journal(
      'hostile/foreign-origin',
      'A segment of another origin in this origin’s folder.',
      [one, of({ origin: ORIGIN_B }), three],
      expectation,
    ),
  ];
}

/** What stands in the other file was read already, so nothing of it is lost. */
function copiedBeside(): MadeVector {
  const one = segment('beside 1', FIRST, drafts('beside a', 3));
  const two = segment('beside 2', after(one), drafts('beside b', 2));
  const copy = { ...one, name: '0000000000000002.b10', events: [] };
  const nothing = { ...damage('segment-header', copy, 0, 0, 0), firstSeq: null, lastSeq: null };
  return journal(
    'corrupt/segment-copied-beside',
    'A copy of a segment under a name inside its own seqs: all that it holds was read.',
    [one, copy, two],
    { events: eventsOf([one, two]), damage: [nothing] },
  );
}

/** Without a manifest the segments say what they belong to: not those that say another name than their file's. */
function unowned(): MadeVector[] {
  const one = segment('unowned 1', FIRST, drafts('unowned a', 2));
  const two = segment('unowned 2', after(one), drafts('unowned b', 2));
  const elsewhere = segment(
    'unowned other',
    { ...after(one), journalId: FOREIGN_JOURNAL_ID, origin: ORIGIN_A },
    drafts('unowned other', 2),
  );
  const moved = [one, two].map((made) => ({ ...made, origin: ORIGIN_B }));
  const early = { ...elsewhere, name: one.name };
  return [
    journal(
      'hostile/foreign-origin-no-manifest',
      'A folder whose segments all name another origin, and no manifest that knows of a copy.',
      moved,
      {
        events: [],
        manifest: false,
        damage: [
          damage('segment-header', one, 0, 1, 2),
          damage('segment-header', two, 0, 3, null),
          LOST_MANIFEST,
        ],
      },
    ),
    journal(
      'hostile/renamed-foreign-no-manifest',
      'A segment of another journal under the first one’s name, and no manifest: it does not say which journal it is.',
      [early, two],
      {
        events: eventsOf([two]),
        manifest: false,
        damage: [damage('segment-header', one, 0, 1, 2), LOST_MANIFEST],
      },
    ),
  ];
}

function notAFile(): MadeVector {
  const made = segment('not a file', FIRST, drafts('not a file', 2));
  const next = { name: '0000000000000003.b10' };
  return journal(
    'hostile/segment-is-a-folder',
    'Something that is not a file under a segment’s name is a lost segment.',
    [made],
    {
      files: { [`${made.origin}/${next.name}/0000000000000003.b10`]: made.bytes },
      damage: [damage('segment-header', next, 0, 3, null)],
    },
  );
}

function noSeqs(): MadeVector {
  const made = segment('no seqs', FIRST, drafts('no seqs', 2));
  const names = ['0000000000000000.b10', '9007199254740992.b10', '9999999999999999.b10z'];
  return journal(
    'hostile/segment-names-no-seq',
    'Names of 16 digits that are no seq: not segments, so they are passed by.',
    [made],
    { files: Object.fromEntries(names.map((name) => [`${made.origin}/${name}`, made.bytes])) },
  );
}

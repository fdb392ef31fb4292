import { FRAME_FLAG, FRAME_KIND } from '../../src/journal/format/format.ts';
import { EPOCH_MS } from './bytes.ts';
import { after, type Draft, draft, drafts, FIRST, ORIGIN_A, ORIGIN_B, segment } from './compose.ts';
import { atLimit, nested, nestedEmpty, unicode, widths } from './envelopes.ts';
import type { MadeVector } from './model.ts';
import { eventsOf, journal, LOST_MANIFEST, manifestFile } from './vector.ts';

/** The two events that SPEC.md takes apart byte by byte. */
export const twoEvents = () =>
  segment('two-events', FIRST, [
    draft('hello', { data: { text: 'hi' } }),
    { ...draft('ran', { type: 'tool.called', agent: null, data: { ok: true } }), syncedUpto: 1 },
  ]);

/** Journals that writers of active segments leave behind. */
export function validVectors(): MadeVector[] {
  return [
    journal('valid/no-segments', 'A journal before its first event.', []),
    journal('valid/empty-segment', 'A segment that was just opened: a header and nothing else.', [
      segment('empty', FIRST, []),
    ]),
    journal('valid/two-events', 'The worked example of SPEC.md.', [twoEvents()]),
    journal(
      'valid/unicode-and-nulls',
      'Text beyond ASCII, NUL characters, and every nullable field null.',
      [segment('unicode', FIRST, unicode())],
    ),
    journal(
      'valid/number-widths',
      'Every MessagePack width of numbers, strings, arrays and maps, also longer than needed.',
      [segment('widths', FIRST, widths())],
    ),
    journal('valid/nested-64', 'The deepest nesting that a reader must take.', [
      segment('nested', FIRST, [nested(64, {})]),
    ]),
    journal('valid/body-limit', 'A body of exactly the largest size.', [
      segment('limit', FIRST, [atLimit(), draft('after the limit')]),
    ]),
    journal('valid/nested-64-empty', 'An empty array in as many others: it holds no value.', [
      segment('nested empty', FIRST, [nestedEmpty(64)]),
    ]),
    rotated(),
    journal(
      'valid/skippable-kind',
      'Kind 130 is unknown: its event is skipped, its seq counts and its chain goes on.',
      [segment('skippable', FIRST, skippable())],
    ),
    journal(
      'valid/tombstone',
      'An erased event: the frame stays, with its commitment, and the chain holds.',
      [segment('tombstone', FIRST, tombstones())],
    ),
    journal('valid/tombstone-from-inbox', 'An erased event that had waited in the inbox.', [
      segment('tombstone from inbox', FIRST, [
        draft('before it'),
        { ...draft('erased'), kind: FRAME_KIND.tombstone, type: null, flags: FRAME_FLAG.fromInbox },
      ]),
    ]),
    journal('valid/from-inbox', 'The flag of an event that waited in the inbox.', [
      segment('from inbox', FIRST, [
        draft('direct'),
        { ...draft('waited'), flags: FRAME_FLAG.fromInbox },
      ]),
    ]),
    repeated(),
    ...twoOrigins(),
    ...copied(),
    strangeNames(),
    journal(
      'valid/no-manifest',
      'A lost manifest changes nothing that a reader gives.',
      [segment('no manifest', FIRST, drafts('no manifest', 2))],
      { manifest: false, damage: [LOST_MANIFEST] },
    ),
  ];
}

function rotated(): MadeVector {
  const one = segment('rotated 1', FIRST, drafts('rotated a', 3));
  const two = segment('rotated 2', after(one), drafts('rotated b', 2));
  const three = segment('rotated 3', after(two), drafts('rotated c', 2));
  return journal('valid/rotated', 'Three segments; each starts from the chain of the one before.', [
    one,
    two,
    three,
  ]);
}

export const skippable = (): Draft[] => [
  draft('before 130'),
  { ...draft('of kind 130', { type: 'future.happened' }), kind: 130, flags: 0x82 },
  draft('after 130'),
];

export const tombstones = (): Draft[] => [
  draft('before the tombstone'),
  { ...draft('erased'), kind: FRAME_KIND.tombstone, type: null },
  draft('after the tombstone'),
];

/** A crash between appending inbox events and removing their file, in a writer that did not look. */
export const twice = (): Draft[] => [draft('told'), draft('between'), draft('told'), draft('last')];

function repeated(): MadeVector {
  return journal(
    'valid/repeated-id',
    'The same event under two seqs: both are given, their id tells.',
    [segment('repeated', FIRST, twice())],
  );
}

function twoOrigins(): MadeVector[] {
  const one = segment('origin a', FIRST, drafts('origin a', 3));
  const other = { ...FIRST, origin: ORIGIN_B, ms: EPOCH_MS + 1500 };
  const two = segment('origin b', other, drafts('origin b', 3));
  return [
    journal(
      'valid/two-origins',
      'Each origin has its own seqs and its own chain; the journal is read from the one that the manifest names.',
      [one, two],
      { events: eventsOf([one]) },
    ),
    journal(
      'valid/two-origins-no-manifest',
      'Two origins whose newest segments start at the same seq, and no manifest: the last one by name is read.',
      [one, two],
      { events: eventsOf([two]), manifest: false, damage: [LOST_MANIFEST] },
    ),
  ];
}

/** The folder has the copy's name; the segments from before the copy name the original. */
function copied(): MadeVector[] {
  const one = segment('copied 1', FIRST, drafts('copied a', 2));
  const two = segment('copied 2', after(one), drafts('copied b', 2));
  const fact = draft('copied', {
    type: 'journal.copied',
    session: null,
    client: null,
    source: 'journal',
    data: { from: ORIGIN_A, origin: ORIGIN_B },
  });
  const own = [fact, ...drafts('copied c', 2)];
  const three = segment('copied 3', { ...after(two), origin: ORIGIN_B }, own);
  const moved = [one, two, three].map((made) => ({ ...made, origin: ORIGIN_B }));
  const places = [
    [2188494, EPOCH_MS],
    [2188495, 0],
  ];
  const manifest = manifestFile({ origin: ORIGIN_B, formerly: [ORIGIN_A], places });
  const half = [one, two].map((made) => ({ ...made, origin: ORIGIN_A }));
  return [
    journal(
      'valid/copied',
      'A copy: its older segments name the journal that it was copied from, as the manifest says.',
      moved,
      { manifest: false, files: { manifest } },
    ),
    journal(
      'valid/copied-no-manifest',
      'The same without a manifest: what stands before the first segment of the own name may have another.',
      moved,
      { manifest: false, damage: [LOST_MANIFEST] },
    ),
    journal(
      'valid/copied-half',
      'A copy whose maker died before the folder had its new name.',
      half,
      { manifest: false, files: { manifest } },
    ),
  ];
}

function strangeNames(): MadeVector {
  const made = segment('strange names', FIRST, drafts('strange names', 2));
  const junk = Buffer.from('not a segment\n');
  const folder = made.origin;
  return journal(
    'valid/strange-names',
    'Files that are no part of the journal are passed by.',
    [made],
    {
      files: {
        lock: Buffer.alloc(0),
        [`${folder}/0000000000000003.b10.0123456789ab.tmp`]: junk,
        [`${folder}/00000000000000003.b10`]: junk,
        [`${folder}/3.b10`]: junk,
        [`${folder}/0000000000000003.b10.bak`]: junk,
        'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECF/0000000000000003.b10': junk,
        'notes/0000000000000003.b10': junk,
        'quarantine/0000000000000001.b10.456.0123456789ab': junk,
        'inbox/notes.txt': junk,
        'inbox/0000019B76DAA8000000-0123456789AB.evt': junk,
        'inbox/0000019B76DAA800-0123456789AB.evt': junk,
      },
    },
  );
}

import { encodeContainer } from '../../src/journal/format/container.ts';
import { CONTAINER_HEADER_BYTES } from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { flipped, sha256 } from './bytes.ts';
import { draft, FIRST, ORIGIN_B, type Segment, segment } from './compose.ts';
import type { ExpectedDamage, MadeVector } from './model.ts';
import { BLOB_KEY, damage, type Expectation, journal, manifestFile } from './vector.ts';

/** Texts that are kept in `blobs/`, beside the journal's folder. */
export function blobVectors(): MadeVector[] {
  const [one, two] = [TEXT, 'Another text that was kept beside the journal.'];
  const [name, other] = [nameOf(one), nameOf(two)];
  const made = naming('blob', [name, '', name]);
  const alone = segment('blob alone', FIRST, [draft('blob alone')]);
  const foreign = segment('blob foreign', { ...FIRST, origin: ORIGIN_B }, [referring(name)]);
  const lost = damage('blob', { name: `blobs/${name}` }, 0, 2, 4);
  const unnamed: ExpectedDamage = { ...lost, firstSeq: null, lastSeq: null };
  const flip = flipped(fileOf(one), CONTAINER_HEADER_BYTES + 40);
  return [
    kept('valid/blob', 'A text of two events, kept once.', [made], { [name]: one }),
    kept(
      'valid/blob-rebuilt-manifest',
      'The key was lost with the manifest: the content cannot be compared with the name.',
      [made],
      { [name]: two },
      { manifest: false, files: { manifest: manifestFile({ isRebuilt: true }) } },
    ),
    kept(
      'corrupt/blob-missing',
      'It is gone: the first and the last event that name it are told.',
      [made],
      {},
      {
        damage: [lost],
      },
    ),
    kept(
      'corrupt/blob-flip',
      'A bit flip in a blob.',
      [made],
      { [name]: flip },
      { damage: [lost] },
    ),
    kept(
      'corrupt/blob-unnamed',
      'A bit flip in a blob that no event names.',
      [alone],
      { [name]: flip, [other]: two },
      { damage: [unnamed] },
    ),
    kept(
      'corrupt/blob-of-other-origin',
      'A blob that only an event of another origin names is missing: seqs are the own origin’s.',
      [alone, foreign],
      {},
      { events: alone.events, damage: [unnamed] },
    ),
    kept(
      'hostile/blob-swapped',
      'A sound blob under another one’s name.',
      [made],
      { [name]: two },
      { damage: [lost] },
    ),
    strange(made, name, one),
    references(name),
  ];
}

const TEXT = 'A text that was kept beside the journal.';

const nameOf = (text: string): string =>
  sha256(
    Buffer.concat([Buffer.from('ben10/blob/1'), Buffer.from(BLOB_KEY, 'hex'), Buffer.from(text)]),
  );

const fileOf = (text: string): Buffer => encodeContainer(Buffer.from(text), xxh64);

const referring = (name: string) =>
  draft(`names ${name.slice(0, 6)}`, { data: { text: { $blob: name, bytes: 40, head: 'A te' } } });

/** An event, then one for each name. */
function naming(label: string, names: readonly string[]): Segment {
  const list = names.map((name, index) => ({ ...referring(name), label: `${label} ${index}` }));
  return segment(label, FIRST, [draft(`${label} first`), ...list]);
}

/** @param blobs by name: texts, or what stands in the file */
function kept(
  path: string,
  why: string,
  segments: readonly Segment[],
  blobs: Record<string, string | Buffer>,
  expectation: Expectation = {},
): MadeVector {
  const files = Object.entries(blobs).map(([name, content]) => [
    `../blobs/${name.slice(0, 2)}/${name}`,
    typeof content === 'string' ? fileOf(content) : content,
  ]);
  return journal(`${path}/journal`, why, segments, {
    ...expectation,
    files: { ...expectation.files, ...Object.fromEntries(files) },
  });
}

function strange(made: Segment, name: string, text: string): MadeVector {
  const junk = Buffer.from('not a blob\n');
  return kept(
    'valid/blob-strange-names',
    'Files in blobs/ that have no blob’s name, or another folder’s, are passed by.',
    [made],
    { [name]: text },
    {
      files: {
        [`../blobs/ff/${name}`]: junk,
        [`../blobs/${name.slice(0, 2)}/${name}.0123456789ab.tmp`]: junk,
        [`../blobs/${name.slice(0, 2)}/notes`]: junk,
        [`../blobs/${name.slice(0, 3)}/${name}`]: junk,
        [`../blobs/${name}`]: junk,
      },
    },
  );
}

/** Only the last but one of these names a blob. */
function references(name: string): MadeVector {
  const lists = [
    { $blob: name, bytes: '40', head: 'A te' },
    { $blob: name, bytes: 40 },
    { $blob: name.toUpperCase(), bytes: 40, head: 'A te' },
    { $blob: `../${name}`, bytes: 40, head: 'A te' },
    [{ deep: { $blob: name, bytes: 0.5, head: '', more: true } }],
    `{"$blob":"${name}","bytes":40,"head":""}`,
  ];
  const made = segment(
    'blob references',
    FIRST,
    lists.map((data, index) => draft(`blob reference ${index}`, { data })),
  );
  return kept(
    'hostile/blob-references',
    'Maps that are references to a blob, and others that look like it.',
    [made],
    {},
    {
      damage: [damage('blob', { name: `blobs/${name}` }, 0, 5, 5)],
    },
  );
}

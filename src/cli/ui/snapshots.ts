import { oneLine } from '../../projections/safe-text.ts';
import type { SnapshotListed, SnapshotPage } from '../../timetravel/snapshots/indexed.ts';
import { facts } from './facts.ts';
import { bytes, count, dateTime, plural, shortTime } from './format.ts';
import { table } from './table.ts';

export function snapshotTable(page: SnapshotPage, now: number): string[] {
  const { snapshots, count: all, bytes: size } = page;
  if (all === 0)
    return [
      'There is no snapshot yet. ben10 takes one before each compaction (setting context.compactionSnapshots.enabled).',
    ];
  const rows = snapshots.map((one) => [
    one.id,
    shortTime(one.createdAt, now),
    one.trigger,
    tokens(one.before.tokens),
    tokens(one.after?.tokens),
    one.bytes === 0 ? 'gone' : bytes(one.bytes),
    one.pinned ? 'pinned' : '',
    oneLine([...one.tags.map((tag) => `#${tag}`), one.note].join(' ')).slice(0, 60),
  ]);
  const heads = ['id', 'when', 'why', '>tokens', '>after', '>size', '', 'tags and note'];
  const more = snapshots.length < all ? [`… ${all - snapshots.length} more: --limit 0`] : [];
  return [`${plural(all, 'snapshot')}, ${bytes(size)}`, '', ...table(heads, rows), ...more];
}

const tokens = (value: number | undefined): string => (value === undefined ? '-' : count(value));

export function snapshotLines(one: SnapshotListed): string[] {
  const { before, after, ratio } = one;
  return [
    `Snapshot ${one.id}${one.pinned ? ', pinned' : ''}`,
    ...facts([
      ['taken', `${dateTime(one.createdAt)}, up to @${one.upto}`],
      ['session', one.session === null ? '-' : oneLine(one.session)],
      ['why', one.trigger === 'memory_pressure' ? LETS_GO : one.trigger],
      ['before', metrics(before)],
      ['after', after === null ? notOver(one) : metrics(after)],
      ['ratio', ratio === null ? 'not known' : `${ratio.toFixed(3)}, ${COUNTED[one.tokensBy!]}`],
      ['stored', stored(one)],
      ['content', one.contentHash === '' ? ERASED_SINCE : `sha256 ${one.contentHash}`],
      ['tags', one.tags.length === 0 ? '-' : oneLine(one.tags.join(', '))],
      ['note', one.note === '' ? '-' : oneLine(one.note)],
    ]),
  ];
}

const COUNTED = {
  client: 'counted by the client',
  answers: 'from the token counts of the answers before and after',
};
const ERASED_SINCE = 'no checksum, because a text was erased from it';

const LETS_GO = 'memory_pressure: the state was about to drop its oldest messages';

const notOver = ({ trigger }: SnapshotListed): string =>
  trigger === 'memory_pressure'
    ? 'nothing was compacted'
    : 'the compaction has not finished, or was cancelled';

const metrics = (of: SnapshotListed['before']): string =>
  [
    of.tokens === undefined ? 'tokens not known' : plural(of.tokens, 'token'),
    plural(of.messages, 'message'),
    plural(of.files, 'file'),
    plural(of.toolExecutions, 'tool call'),
  ].join(', ');

const stored = (one: SnapshotListed): string =>
  one.bytes === 0
    ? 'the file is gone; it can be rebuilt from the journal'
    : `${bytes(one.bytes)}${unpacked(one)} in ${oneLine(one.file)}`;

/** Not known after an erasure. */
const unpacked = ({ plainBytes }: SnapshotListed): string =>
  plainBytes === 0 ? '' : ` (${bytes(plainBytes)} unpacked)`;

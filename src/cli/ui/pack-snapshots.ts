import { nameOfSnapshot } from '../../packs/kept/snapshots.ts';
import type { PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { count, plural } from './format.ts';

/** The keys are the contract with programs. */
export const snapshotJson = (record: PackSnapshotRecord) => ({
  id: record.id,
  label: record.label ?? null,
  auto: record.auto,
  packs: record.packs,
  created: record.createdAt,
  tokens: record.tokens,
  bytes: record.bytes,
  items: record.items,
  render_hash: record.renderHash,
  payload_hash: record.payloadHash,
});

export const snapshotLine = (record: PackSnapshotRecord): string => {
  const what = record.label === undefined ? 'Snapshot' : `Snapshot ${record.label}`;
  const of = oneLine(record.packs.join(', '));
  const how = `${count(record.tokens)} tokens, ${plural(record.items, 'item')}, id ${record.id}`;
  return `${what} of ${of}: ${how}. To get it back: ben10 pack render ${nameOfSnapshot(record)}`;
};

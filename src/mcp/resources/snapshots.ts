import { redactStored } from '../../capture/redaction/index.ts';
import { listSnapshots, showSnapshot, snapshotIndex } from '../../timetravel/snapshots/indexed.ts';
import { QUOTED } from '../answer.ts';
import type { ServerContext } from '../context.ts';
import { rulesOf } from './context.ts';
import type { Resource, ResourceTemplate } from './resource.ts';

/** Of the index format. */
const INDEX_VERSION = 1;
const INDEXED_MAX = 100;
/** The default of how many are kept. */
const LISTED_MAX = 5;
/** With older pinned ones. */
const LISTED_WITH_PINNED_MAX = 50;

const ABOUT = {
  name: 'snapshot',
  title: 'Compaction snapshot',
  description:
    'About the state that was stored before a compaction: sizes before and after, tags, note.',
  mimeType: 'application/json',
} as const;

export const snapshotsResource: Resource = {
  uri: 'ben10://snapshots',
  name: 'snapshots',
  title: 'Compaction snapshots',
  description: 'The index of the states that were stored before compactions, newest first.',
  mimeType: 'application/json',
  read(context) {
    const page = listSnapshots(context.project, { count: INDEXED_MAX });
    const snapshots = page.snapshots.map(({ id, createdAt, before, bytes, pinned, tags }) => ({
      id,
      createdAt,
      tokenCount: before.tokens ?? null,
      compressedSize: bytes,
      pinned,
      tags,
    }));
    const index = {
      version: INDEX_VERSION,
      snapshots,
      count: page.count,
      totalSizeBytes: page.bytes,
      lastPruned: page.lastPruned,
    };
    return { note: QUOTED, ...redacted(context, index) };
  },
};

export const snapshotTemplate: ResourceTemplate = {
  uriTemplate: 'ben10://snapshots/{id}',
  ...ABOUT,
  read: (context, id) => ({
    quoted: QUOTED,
    ...redacted(context, showSnapshot(context.project, id)),
  }),
  ids: ({ project }) => Object.keys(snapshotIndex(project).snapshots).reverse(),
  list({ project }) {
    const all = Object.values(snapshotIndex(project).snapshots).reverse();
    return all
      .filter(({ pinned }, index) => pinned || index < LISTED_MAX)
      .slice(0, LISTED_WITH_PINNED_MAX)
      .map(({ id }) => ({ ...ABOUT, uri: `ben10://snapshots/${id}`, name: `snapshot ${id}` }));
  },
};

/** Notes may contain a secret that no rule matched at the time. */
const redacted = <T extends object>(context: ServerContext, value: T): T =>
  redactStored(value, rulesOf(context)).value as T;

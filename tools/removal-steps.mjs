// Every safety step of the journal, by the text that makes it: see removals.mjs.

const SYNC = 'exhaustive,interleaved,random';
/** Needs a process that died or waits before it synced a name. */
const NAMES = 'interleaved,random';
const SUM = 'damage,exhaustive';
const LOCK = 'interleaved,random';

/** @returns {{ name: string, edits: { file: string, from: string, to: string }[], harness: string }} */
const step = (name, harness, file, from, to = '') => ({
  name,
  harness,
  edits: [{ file, from, to }],
});

/** A step whose loss shows only when the steps behind it, which would catch the same, are gone as well. */
const behind = (one, ...others) => ({
  ...one,
  name: `${one.name} [and ${others.map(({ name }) => name).join(', ')}]`,
  edits: [one, ...others].flatMap(({ edits }) => edits),
});

const syncs = [
  step(
    'sync of a file before its rename',
    SYNC,
    'platform/files.ts',
    'if (options.durable) fsys.datasync(fd);',
  ),
  step(
    'sync of the folder after a rename',
    SYNC,
    'platform/files.ts',
    'if (options.durable) fsys.syncDir(dirname(path));',
  ),
  step('sync of the folder of a new folder', SYNC, 'platform/files.ts', '  fsys.syncDir(parent);'),
  step(
    'sync of a segment before the next one',
    SYNC,
    'journal/active.ts',
    '    this.datasync();\n    const next',
    '    const next',
  ),
  step('sync of what was acknowledged', SYNC, 'journal/syncing.ts', '  active.datasync();'),
  step(
    'sync after a drain, before files are removed',
    SYNC,
    'journal/writer.ts',
    '      this.#write(waiting, FRAME_FLAG.fromInbox);\n      sync(this.#ports, this.#active);',
    '      this.#write(waiting, FRAME_FLAG.fromInbox);',
  ),
  step(
    'sync of journal.repaired',
    SYNC,
    'journal/writer.ts',
    '    this.#write([repairedEvent(this.#ports, repair)], 0);\n    sync(this.#ports, this.#active);',
    '    this.#write([repairedEvent(this.#ports, repair)], 0);',
  ),
  step(
    'sync of a new segment before its rename',
    SYNC,
    'journal/rotate.ts',
    '    ports.fs.datasync(fd);',
  ),
  step(
    'sync of the folder of a new segment',
    SYNC,
    'journal/rotate.ts',
    '    ports.fs.syncDir(dir);',
  ),
  step(
    'sync after a torn tail was cut',
    SYNC,
    'journal/recover.ts',
    '  try {\n    ports.fs.datasync(fd);\n  } catch {',
    '  try {\n  } catch {',
  ),
  step(
    'sync of what goes to quarantine',
    SYNC,
    'journal/recover.ts',
    '    writeAll(ports.fs, fd, bytes, 0);\n    ports.fs.datasync(fd);',
    '    writeAll(ports.fs, fd, bytes, 0);',
  ),
  step(
    'sync of the quarantine folder',
    SYNC,
    'journal/recover.ts',
    '  ports.fs.syncDir(layout.quarantine);',
  ),
  step(
    'sync of an inbox file before its rename',
    SYNC,
    'journal/inbox.ts',
    '      if (durable) ports.fs.datasync(fd);',
  ),
  step(
    'sync of the inbox folder',
    SYNC,
    'journal/inbox.ts',
    '    ports.fs.syncDir(layout.inbox);\n',
  ),
  step(
    'sync of an empty segment that somebody else named',
    NAMES,
    'journal/active.ts',
    '    if (tail.size === SEGMENT_HEADER_BYTES) this.#ports.fs.syncDir(dirname(file.path));',
  ),
  step(
    'sync of folders that somebody else made',
    NAMES,
    'journal/layout.ts',
    '  for (const dir of foldersOf(layout)) fs.syncDir(dirname(dir));',
  ),
  step(
    'sync of an origin that somebody else made',
    NAMES,
    'journal/rotate.ts',
    '  if (readdirIfThere(ports.fs, dir).length === 0) ports.fs.syncDir(layout.journal);',
  ),
  {
    ...step(
      'sync of a sealed segment that somebody else named',
      NAMES,
      'journal/sweep.ts',
      '    ports.fs.syncDir(originDir(layout, file.origin));',
    ),
    given: ['--pair=pprp:c:c'],
  },
];

const digest = step(
  'digest of a sealed segment',
  SUM,
  'journal/verify-segment.ts',
  "createHash('sha256').update(content).digest().equals(footer.digest) &&",
);
const blockSum = step(
  'sum of index and id table',
  SUM,
  'journal/sealed.ts',
  'return xxh64(content, salt) === readBigU64(bytes, start + length) ? content : undefined;',
  'return content;',
);
const placeSum = step(
  'sum of the chunk headers in place, in verify',
  SUM,
  'journal/verify-segment.ts',
  'decodeChunkHeader(bytes.subarray(offset), header.salt, ports.xxh64, offset) !== undefined,',
  'true,',
);
const idsSum = step(
  'sum of the id table, in verify',
  SUM,
  'journal/verify-segment.ts',
  'ports.xxh64(ids, header.salt) === readBigU64(content, idsEnd) &&',
);
const idsEqual = step(
  'id table against the ids, in verify',
  SUM,
  'journal/verify-segment.ts',
  'content.subarray(footer.idsOffset, idsEnd).equals(ids) &&',
);

const chunkHeaderSum = step(
  'sum of a chunk header',
  SUM,
  'journal/chunk.ts',
  '  if (sum !== readBigU64(bytes, CHUNK.checksum)) return undefined;',
);

const sums = [
  step(
    'sum of a frame header',
    SUM,
    'journal/frame.ts',
    "  if (sum !== readBigU64(header, FRAME.checksum)) return { problem: 'header', bytes: 0 };",
  ),
  step(
    'sum of a frame body',
    SUM,
    'journal/frame.ts',
    'xxh64(body, salt ^ BigInt(seq)) === readBigU64(trailer, TRAILER.bodyChecksum);',
    'true;',
  ),
  step(
    'sum of a segment header',
    SUM,
    'journal/segment.ts',
    '  if (sum !== readBigU64(header, SEGMENT.checksum)) return undefined;',
  ),
  behind(chunkHeaderSum, digest),
  step(
    'sum of a chunk',
    SUM,
    'journal/chunk.ts',
    ' || xxh64(plain, salt) !== header.plainChecksum',
  ),
  step(
    'sum of a footer',
    SUM,
    'journal/footer.ts',
    '  if (sum !== readBigU64(bytes, FOOTER.checksum)) return undefined;',
  ),
  behind(digest, placeSum),
  behind(placeSum, digest),
  behind(blockSum, chunkHeaderSum, digest),
  behind(idsSum, digest),
  behind(idsEqual, idsSum, digest),
  step(
    'sum of a container header',
    SUM,
    'journal/container.ts',
    '  if (sum !== readBigU64(bytes, CONTAINER.checksum)) return undefined;',
  ),
  step(
    'sum of a block',
    SUM,
    'journal/container.ts',
    'plain.length === plainBytes && xxh64(plain, 0n) === readBigU64(head, BLOCK.plainChecksum);',
    'plain.length === plainBytes;',
  ),
  step(
    'sum of the sync hint',
    SUM,
    'journal/hint.ts',
    '  if (sum !== readBigU64(bytes, HINT.checksum)) return NO_HINT;',
  ),
  step(
    'sum of an inbox file',
    SUM,
    'journal/inbox.ts',
    '  if (readBigU64(header, SPOOL.checksum) !== checksum(ports, header, body)) return undefined;',
  ),
  step(
    'sum of the manifest',
    SUM,
    'journal/manifest.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source's own
    'if (sum !== checksum(ports, line) || text !== `${line}\\n${sum}\\n`) return undefined;',
  ),
];

const locks = [
  step(
    'lock of an append',
    LOCK,
    'journal/writer.ts',
    'return this.#lock.hold(budgetMs, work);',
    'return { value: work() };',
  ),
  step(
    'lock of a compaction',
    LOCK,
    'journal/compact.ts',
    'lock.hold(0, () => compactLocked(ports, layout, codecs, options));',
    '{ value: compactLocked(ports, layout, codecs, options) };',
  ),
  step(
    'lock of the manifest in a compaction',
    LOCK,
    'journal/compact.ts',
    'lock.hold(LOCK_BUDGET_MS, () => {\n      const manifest',
    '((_, work) => work())(LOCK_BUDGET_MS, () => {\n      const manifest',
  ),
  step(
    'lock of verify at the tail',
    LOCK,
    'journal/verify-segment.ts',
    'lock.hold(LOCK_BUDGET_MS, () => loadSegment(ports, file));',
    '{ value: loadSegment(ports, file) };',
  ),
];

export const STEPS = [...syncs, ...sums, ...locks];

/** Lines that sync and are no steps of their own: what the steps call. */
export const NO_STEPS = new Set(['this.#ports.fs.datasync(this.tail.fd);']);

/** Files of operations that are not simulated: repairs and erasures. */
export const NOT_SIMULATED = ['journal/repair-files.ts', 'journal/sync-folders.ts'];

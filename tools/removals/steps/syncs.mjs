// Every call that makes bytes or names durable where events are appended, taken in and recovered.
import { step } from './step.mjs';

const POWER = 'sim:exhaustive,interleaved,random';
/** Needs a process that died or waits before it synced a name. */
const NAMES = 'sim:interleaved,random';
const REAL = 'safety/real-disk';

export const syncs = [
  step(
    'sync of a file by the kernel',
    REAL,
    'platform/fs.ts',
    'datasync: (fd) => fdatasyncSync(fd),',
    'datasync: () => {},',
  ),
  step(
    'sync of a folder by the kernel',
    REAL,
    'platform/fs.ts',
    '    try {\n      fsyncSync(fd);',
    '    try {',
  ),
  step(
    'sync of a file before its rename',
    POWER,
    'platform/files.ts',
    'if (options.durable) fsys.datasync(fd);',
  ),
  step(
    'sync of the folder after a rename',
    POWER,
    'platform/files.ts',
    'if (options.durable) fsys.syncDir(dirname(path));',
  ),
  step(
    'sync of the folder of a new folder',
    ['journal/append/durability', POWER],
    'platform/files.ts',
    'if (durable) fsys.syncDir(parent);',
  ),
  step(
    'sync of a segment before the next one',
    POWER,
    'journal/append/active.ts',
    '    this.datasync();\n    const next',
    '    const next',
  ),
  step('sync of what was acknowledged', POWER, 'journal/append/syncing.ts', '  active.datasync();'),
  step(
    'sync of an append',
    POWER,
    'journal/append/writer.ts',
    'if (isSyncDue(this.#ports, this.#active, events)) this.#sync();',
  ),
  step(
    'sync of a running server',
    'journal/append/durability',
    'journal/append/writer.ts',
    '    if (isDue !== true) return;\n    try {\n      this.#sync();',
    '    if (isDue !== true) return;\n    try {',
  ),
  step(
    'sync after a drain, before files are removed',
    POWER,
    'journal/append/writer.ts',
    '      this.#write(waiting, FRAME_FLAG.fromInbox);\n      sync(this.#ports, this.#active);',
    '      this.#write(waiting, FRAME_FLAG.fromInbox);',
  ),
  step(
    'sync of what a broken drain had appended',
    'safety/drain',
    'journal/append/drain.ts',
    '} else if (broken !== undefined) take([]);',
    '}',
  ),
  step(
    'sync of journal.repaired',
    POWER,
    'journal/append/writer.ts',
    '    this.#write(told, 0);\n    sync(this.#ports, this.#active);',
    '    this.#write(told, 0);',
  ),
  step(
    'sync of a new segment before its rename',
    POWER,
    'journal/append/rotate.ts',
    '    ports.fs.datasync(fd);',
  ),
  step(
    'sync of the folder of a new segment',
    POWER,
    'journal/append/rotate.ts',
    '    ports.fs.syncDir(dir);',
  ),
  step(
    'sync of a folder that somebody else made',
    NAMES,
    'platform/files.ts',
    '    fsys.syncDir(dir);',
  ),
  step(
    'sync after a torn tail was cut',
    'safety/hole',
    'journal/append/recover.ts',
    '  try {\n    ports.fs.datasync(fd);\n  } catch {',
    '  try {\n  } catch {',
  ),
  step(
    'sync of an inbox file before its rename',
    POWER,
    'journal/append/inbox.ts',
    'encodeSpool(ports, part), { durable });',
    'encodeSpool(ports, part), { durable: false });',
  ),
  step(
    'sync of the inbox folder',
    POWER,
    'journal/append/inbox.ts',
    '    ports.fs.syncDir(layout.inbox);\n',
  ),
  step(
    'sync of folders that somebody else made, by who spools',
    NAMES,
    'journal/append/inbox.ts',
    '    if (ports.fs.statIfThere(layout.manifest) === undefined) syncLayout(ports.fs, layout);\n',
  ),
  step(
    'sync of folders that somebody else made, before the manifest',
    NAMES,
    'journal/format/manifest.ts',
    '  syncLayout(ports.fs, layout);\n',
  ),
  step(
    'sync of folders that somebody else made',
    NAMES,
    'journal/format/layout.ts',
    '  for (const dir of foldersOf(layout)) fs.syncDir(dirname(dir));',
  ),
  step(
    'sync of an empty segment that somebody else named',
    NAMES,
    'journal/append/active.ts',
    '    if (tail.size === SEGMENT_HEADER_BYTES) this.#ports.fs.syncDir(dirname(file.path));',
  ),
  step(
    'sync of a sealed segment that somebody else named',
    NAMES,
    'journal/seal/sweep.ts',
    '    ports.fs.syncDir(originDir(layout, file.origin));',
  ),
];

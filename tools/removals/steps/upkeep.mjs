// Every call that makes bytes or names durable where something is repaired, erased, copied, saved or set up.
import { step } from './step.mjs';

const ERASE = 'journal/erase-power#leaves an erasure that was not begun';
const ERASE_TWICE = 'journal/erase-power#bring nothing back';
const REPAIR = 'safety/repair';

export const upkeep = [
  step(
    'sync of the inbox that an erasure took in',
    'safety/erase-inbox',
    'journal/erase-job.ts',
    '      syncFolders(ports, [layout.inbox]);\n',
  ),
  step(
    'sync of what an erasure appends',
    ERASE,
    'journal/locked-journal.ts',
    '    sync(this.#ports, this.#active);',
  ),
  step(
    'sync of the name of a segment that a dead erasure rewrote',
    'safety/erase-dies',
    'journal/active.ts',
    '    if (this.#manifest!.erasing !== undefined) this.#ports.fs.syncDir(dirname(file.path));\n',
  ),
  step(
    'sync of a segment that was copied along',
    'safety/copies',
    'journal/active.ts',
    '      if (isBegun) this.#ports.fs.datasync(fd);\n',
  ),
  step(
    'sync of the new name of an origin',
    'safety/copies',
    'journal/copied.ts',
    '  fs.syncDir(layout.journal);\n',
  ),
  step(
    'sync of the name of a blob that is there already',
    'journal/blobs',
    'journal/blobs.ts',
    '    ports.fs.syncDir(dirname(path));',
  ),
  step(
    'a text that an erasure took is put there again with its event',
    'capture/recorder',
    'journal/batch.ts',
    '    event.putAgain?.();\n',
  ),
  step(
    'a text that an erasure took is put there again where its event waits',
    'journal/erase-blobs',
    'journal/writer.ts',
    '    for (const { putAgain } of all) putAgain?.();\n    this.#waiting',
    '    this.#waiting',
  ),
  step(
    'a text that an erasure takes while its event is left in the inbox is put there again',
    'journal/erase-blobs',
    'journal/writer.ts',
    'now it sees who waits.\n    for (const { putAgain } of all) putAgain?.();\n',
    'now it sees who waits.\n',
  ),
  step(
    'an erasure gives back the text of an event that was left in the inbox meanwhile',
    'journal/erase-blobs',
    'journal/erase-blobs.ts',
    'kept.has(path) ? giveBack(ports, path) : ',
  ),
  step(
    'a text that an erasure had set aside which died is given back',
    'journal/erase-blobs',
    'journal/erase-resume.ts',
    '  giveBackAll(job.ports, job.layout);\n',
  ),
  step(
    'a text goes that came with an event which is told again behind an erasure that died',
    'journal/erase-blobs',
    'journal/erase-blobs.ts',
    'if (!admitted.has(name)) doomed.add(name);',
    ';',
  ),
  step(
    'a text goes that came with an event which is told again while it is erased',
    'journal/erase-blobs',
    'journal/erase-finish.ts',
    '  if (!isDrop) done.blobs += eraseBlobsOf(ports, layout, codecs.decoders, touched, isTarget);\n',
  ),
  step(
    'the file of erased ids is open while a repair makes husks readable',
    'journal/repair-erased',
    'journal/repair.ts',
    '  openErasedIds(ports, layout);\n',
  ),
  step(
    'the lock of compactions around what makes the file of erased ids anew',
    'journal/repair-erased',
    'journal/erased-ids.ts',
    'lock.hold(0, () => closeErasedIds(ports, layout, reader))?.value',
    'closeErasedIds(ports, layout, reader)',
  ),
  step(
    'erased ids are not kept in memory while a repair makes husks readable',
    'journal/repair-erased',
    'project/guarded-writer.ts',
    "areErasedIdsOpen(ports, layout) ? '' : now",
    'now',
  ),
  step(
    'where no manifest tells whether something was erased the husks do',
    'project/guarded-writer',
    'project/guarded-writer.ts',
    'manifestNow()?.erasureEpoch;',
    'manifestNow()?.erasureEpoch ?? 0;',
  ),
  step(
    'what may be told again waits while an erasure that was cut off is not finished',
    'project/guarded-writer',
    'project/guarded-writer.ts',
    '    if (this.#isErasing()) return undefined;\n',
  ),
  step(
    'sync of the folder of a snapshot that was deleted',
    'safety/saves',
    'timetravel/stored-files.ts',
    '  syncFolders(ports, [dirname(path)]);',
  ),
  step(
    'sync of a settings file before its rename',
    'safety/settings',
    'setup/apply.ts',
    '    fs.fsyncSync(fd);',
  ),
  step(
    'sync of ben10’s own settings before their rename',
    'safety/settings',
    'platform/config/write.ts',
    '{ durable: true }',
    '{ durable: false }',
  ),
  step(
    'sync of what a repair takes out',
    REPAIR,
    'journal/quarantine.ts',
    '    ports.fs.datasync(fd);',
  ),
  step(
    'sync of the folder of what a repair takes out',
    REPAIR,
    'journal/quarantine.ts',
    '  ports.fs.syncDir(layout.quarantine);\n  return kept;',
    '  return kept;',
  ),
  step(
    'sync of where a repair puts a whole file',
    REPAIR,
    'journal/quarantine.ts',
    '  ports.fs.syncDir(layout.quarantine);\n  ports.fs.syncDir(folder);',
    '  ports.fs.syncDir(folder);',
  ),
  step(
    'sync of where a repair took a whole file from',
    REPAIR,
    'journal/quarantine.ts',
    '  ports.fs.syncDir(folder);\n',
  ),
  step(
    'sync of the folders that an erasure removes from',
    [ERASE_TWICE, ERASE],
    'journal/sync-folders.ts',
    'fs.syncDir(folder);',
    '{}',
  ),
  step(
    'sync of the folders of states, quarantine and left files',
    [ERASE_TWICE, ERASE],
    'journal/erase-derived.ts',
    '  syncFolders(ports, [root, journal, inbox, ...origins, ...stored]);\n',
  ),
  step(
    'sync of the folders of erased blobs',
    [ERASE_TWICE, ERASE],
    'journal/erase-blobs.ts',
    '  syncFolders(ports, paths.map(dirname));\n  return removed.length;',
    '  return removed.length;',
  ),
  step(
    'sync of the folders of files that were chosen',
    'safety/erase',
    'journal/erase.ts',
    '  syncFolders(ports, paths.map(dirname));\n',
  ),
];

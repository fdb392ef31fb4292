import { fatesOf } from '../projections/file-fates.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { EvidenceState } from '../projections/folds/evidence.ts';
import { type FileRecord, type FilesState, isGone } from '../projections/folds/files.ts';
import type { Found } from './item.ts';
import { extraOf, type Homes, worthOf } from './name-items.ts';

/** Files that were changed or read, with what was done and the names in them. */
export function fileItems(
  { files, directory }: ContextState,
  evidence: EvidenceState,
  homes: Homes,
  inside: (text: string) => string,
): Found[] {
  const commands = commandsThatRan(evidence);
  const citedOf = citations(files);
  const isInGit = commands.some(({ about }) => /\bgit\s/.test(about));
  const fateOf = fatesOf(commands, directory);
  const fates = new Map(
    Object.values(files.files).map((file) => [
      file,
      fateOf(file.path, file.changedSeq ?? file.lastSeq),
    ]),
  );
  const all = [...fates.keys()].filter((file) => !isGone(file) && !fates.get(file)!.isGone);
  const small = smallEdits(all).filter((file) => !isLeanedOn(file, homes));
  const single = all
    .filter((file) => !small.includes(file))
    .map((file): Found => {
      const { path, isCommitted } = fates.get(file)!;
      const isUncommitted = isInGit && file.changedSeq !== null && !isCommitted;
      const names = homes.get(file.path) ?? [];
      const own = names.filter(
        ({ text, record }) => record.kind === 'path' && file.path.endsWith(text),
      );
      const others = names.filter((name) => !own.includes(name));
      const strength = own.reduce((sum, one) => sum + one.strength, 0);
      return {
        kind: 'file',
        text: `${inside(path)} ${done(file)}${isUncommitted ? ', no commit seen' : ''}`,
        ...citedOf(file),
        at: file.lastAt,
        weight: file.edits > 0 ? 1 : 0.5,
        reuse: strength,
        extras: others.map((name) => extraOf(name, inside)),
        identity: file.path,
      };
    });
  const now = new Map([...fates].map(([{ path }, fate]) => [path, fate.path]));
  return [...single, ...inLines(small, citedOf, (path) => inside(now.get(path) ?? path))];
}

/** The newest files have lines of their own. */
const OWN_LINE = 6;
const SMALL_EDITS = 2;
const FILES_PER_LINE = 6;
/** A small old edit says little more than that it happened. */
const SMALL_WORTH = 34;
/** Files with stronger names have lines of their own. */
const SMALL_NAMES = 2.5;

function smallEdits(files: readonly FileRecord[]): FileRecord[] {
  const changed = files.filter(({ edits }) => edits > 0).sort((a, b) => b.lastSeq - a.lastSeq);
  return changed.slice(OWN_LINE).filter(({ edits }) => edits <= SMALL_EDITS);
}

const isLeanedOn = ({ path }: FileRecord, homes: Homes): boolean =>
  (homes.get(path) ?? []).some(
    ({ text, record, strength }) =>
      !(record.kind === 'path' && path.endsWith(text)) && worthOf(strength) >= SMALL_NAMES,
  );

type Cited = Required<Pick<Found, 'seq' | 'citedAt'>>;

/** The last change, or the last reading. The time of an old change may be unknown. */
function citations({ changes }: FilesState): (file: FileRecord) => Cited {
  const times = new Map(changes.map(({ seq, at }) => [seq, at]));
  return ({ changedSeq, lastSeq, lastAt }) => {
    const seq = changedSeq ?? lastSeq;
    return { seq, citedAt: seq === lastSeq ? lastAt : (times.get(seq) ?? 0) };
  };
}

/** @param files newest first */
function inLines(
  files: readonly FileRecord[],
  citedOf: (file: FileRecord) => Cited,
  inside: (text: string) => string,
): Found[] {
  const found: Found[] = [];
  for (let from = 0; from < files.length; from += FILES_PER_LINE) {
    const line = files.slice(from, from + FILES_PER_LINE);
    const { lastAt: at } = line[0]!;
    const cited = citedOf(line[0]!);
    const extras = line.map(({ path }) => ({ text: inside(path), worth: SMALL_WORTH }));
    found.push({ kind: 'file', text: '', ...cited, at, extras, identity: `small ${cited.seq}` });
  }
  return found;
}

function done(file: FileRecord): string {
  if (file.edits === 0) return file.reads > 1 ? `read ${file.reads} times` : 'read';
  const times = file.edits > 1 ? ` ${file.edits} times` : '';
  const { linesAdded: added, linesRemoved: removed } = file;
  return `${file.lastAction}${times}${added + removed === 0 ? '' : `, +${added} −${removed}`}`;
}

const commandsThatRan = ({ outcomes }: EvidenceState) =>
  Object.values(outcomes)
    .filter(({ name, verdict }) => name === 'Bash' && verdict !== 'failed')
    .sort((a, b) => a.seq - b.seq);

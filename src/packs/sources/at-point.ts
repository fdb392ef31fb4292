import type { Project } from '../../project/open.ts';
import { contentAfter, type FileVersion } from '../../projections/file-content.ts';
import { contentHash } from '../../projections/file-text.ts';
import { isGone } from '../../projections/folds/files.ts';
import { nameOf } from '../../timetravel/file-on-disk.ts';
import type { ResolvedPoint } from '../../timetravel/resolve.ts';
import { wholeObject, wholeText } from '../../timetravel/tracked-files.ts';
import { FILE_BYTES_MAX, type Past, type ReadFile } from '../render/file.ts';
import { type FileFact, fileFacts, isAway } from './file-facts.ts';

/** What the journal knew of a file: its text, its text's name, or that it was gone. */
type Known = FileVersion | { why: string; hash: string; text?: never } | 'gone' | undefined;

/**
 * Files as the journal last saw them by a point. Of some it knows the content, of some only its name: then today's file is the same if
 * it has that name. Of all others what was in them then is not known, and not guessed.
 */
export function pastOf(project: Project, { cut }: ResolvedPoint): Past {
  const histories = new Map<string, FileFact[]>();
  for (const fact of fileFacts(project, { cut })) {
    const name = fact.name.normalize('NFC');
    const history = histories.get(name) ?? [];
    if (isMove(fact)) {
      const { hash } = fact.merged;
      const there = hash === undefined ? [] : [{ ...fact, movedTo: undefined }];
      histories.set(fact.movedTo.normalize('NFC'), [...history, ...there]);
    }
    history.push(fact);
    histories.set(name, history);
  }
  const knownOf = (name: string): Known =>
    knownAfter(project, histories.get(name.normalize('NFC')) ?? []);
  const isThere = ([name, facts]: [string, FileFact[]]): boolean =>
    !isAway(name) && !isEnd(facts.at(-1)!);
  return {
    names: [...histories].filter(isThere).map(([name]) => name),
    read: (today) => readThen(knownOf, today),
    sizeOf(name) {
      const known = knownOf(name);
      return known === 'gone' ? 0 : Buffer.byteLength(known?.text ?? '');
    },
  };
}

/** @param facts all that the journal has of one file, up to a point */
export const knownAfter = (project: Project, facts: readonly FileFact[]): Known =>
  facts.reduce<Known>((known, fact) => learned(project, known, fact), undefined);

const readThen =
  (knownOf: (name: string) => Known, today: ReadFile): ReadFile =>
  (name, access) => {
    const now = today(name, { ...access, isFound: false });
    if (now === 'denied' || now === 'outside') return now;
    const known = knownOf(name);
    if (known === 'gone') return 'missing';
    if (known?.text !== undefined) {
      const bytes = Buffer.from(known.text);
      return bytes.length > FILE_BYTES_MAX ? 'too_big' : bytes;
    }
    const hash = known !== undefined && 'hash' in known ? known.hash : undefined;
    return typeof now !== 'string' && nameOf(now).hash === hash ? now : 'unknown_then';
  };

const REMOVED = 'its events were removed';
const BY_MERGE = 'it was changed outside of the client';

function learned(project: Project, known: Known, fact: FileFact): Known {
  if ('record' in fact) {
    if (isEnd(fact)) return 'gone';
    const { hash } = fact.record.known ?? {};
    return hash === undefined ? { why: REMOVED } : { why: REMOVED, hash };
  }
  if ('merged' in fact) {
    if (isEnd(fact)) return 'gone';
    const { believed, hash } = fact.merged;
    if (believed === 'journal' || hash === undefined) return known;
    const isSame =
      known !== 'gone' && known?.text !== undefined && contentHash(known.text) === hash;
    return isSame ? known : { why: BY_MERGE, hash };
  }
  const { tool: name, input, response } = fact;
  const after = contentAfter({
    name,
    input,
    response: wholeObject(project, response),
    before: known === 'gone' ? undefined : known,
    whole: (value) => wholeText(project, value),
  });
  return after ?? known;
}

type Merge = Extract<FileFact, { merged: unknown }>;

const isMove = (fact: FileFact): fact is Merge & { movedTo: string } =>
  'merged' in fact && fact.merged.believed === 'disk' && fact.movedTo !== undefined;

function isEnd(fact: FileFact): boolean {
  if ('record' in fact) return isGone(fact.record);
  if (!('merged' in fact)) return false;
  return isMove(fact) || (fact.merged.believed === 'disk' && fact.merged.hash === undefined);
}

import { INBOX_FILES_MAX, listInbox } from '../journal/append/inbox.ts';
import { isMisplaced } from '../journal/append/misplaced-manifest.ts';
import { originDir } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { homeOf, otherOrigins, readOthers } from '../journal/read/origins.ts';
import { refusalOf } from '../journal/read/refused.ts';
import { segmentSummaryOf } from '../journal/read/segment-summary.ts';
import { unreadNames } from '../journal/repair/by-hand.ts';
import { recordedLosses } from '../journal/verify/gaps.ts';
import { BRING_BACK, isTakenAway, TAKEN_AWAY } from '../journal/verify/taken-away.ts';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';
import type { Project } from '../project/open.ts';
import { storedUpto } from '../projections/stored-upto.ts';
import { checkQuarantine } from './quarantine.ts';
import { checkTexts } from './texts.ts';
import { touch } from './touch.ts';

/** With more files, no process has got the lock for a while. */
export const INBOX_FILES_WARN = 100;

const OTHERS = fail(
  'journal',
  'its manifest belongs to another journal, or is from before this one was copied, so nothing can be read; no event is lost',
  'Run: ben10 repair',
);

/** A quick check of the ends of segments, the newest segment, the inbox and the quarantine. `ben10 verify` checks everything. */
export function checkJournal(project: Project): Finding[] {
  const ofManifest = manifest(project);
  // With another journal's manifest, the segments cannot be found.
  const ofSegments = ofManifest.includes(OTHERS)
    ? []
    : [...segments(project), ...newestSegment(project), ...ahead(project), ...others(project)];
  return [
    ...ofManifest,
    ...ofSegments,
    ...beside(project),
    inbox(project),
    ...checkQuarantine(project),
    ...checkTexts(project),
  ];
}

/** A journal without segments and manifest is new. */
function manifest({ ports, layout, reader }: Project): Finding[] {
  const found = readManifest(ports, layout);
  if (found !== undefined) return isMisplaced(ports, layout, found) ? [OTHERS] : [];
  const isThere = ports.fs.statIfThere(layout.manifest) !== undefined;
  if (!isThere && reader.segments().length === 0) return [];
  const what = isThere ? 'damaged' : 'missing';
  const cost = 'the names of blobs cannot be checked';
  return [fail('journal', `its manifest is ${what}: ${cost}`, 'Run: ben10 repair')];
}

/** Checks the ends of each segment. */
function segments(project: Project): Finding[] {
  const { ports, reader } = project;
  const { missing, strangers } = segmentSummaryOf(ports, reader);
  const found = strangers.map((name) =>
    fail('journal', `${name} is not the segment that its name says`, 'Run: ben10 repair'),
  );
  if (missing.length === 0) return found;
  const losses = recordedLosses(reader, ports.xxh64);
  const gone = missing.map(({ firstSeq, lastSeq, segment }) => {
    const upto = lastSeq === null ? 'on' : `to @${lastSeq}`;
    const events =
      firstSeq === lastSeq ? `event @${firstSeq} is` : `events from @${firstSeq} ${upto} are`;
    // A segment is named by its first seq.
    const isUnread = segment !== null && Number.parseInt(segment, 10) === firstSeq;
    const refused = segment === null ? undefined : refusalOf(ports, pathOf(project, segment));
    if (isUnread && refused !== undefined)
      return fail(
        'journal',
        `${events} hidden: ${refused.file} cannot be read (${refused.why})`,
        refused.next,
      );
    const place = segment === null ? 'at the end' : `before ${segment}`;
    const what = isUnread ? `lost: ${segment} cannot be read` : `missing, ${place}`;
    const range = { offset: 0, bytes: 0, firstSeq, lastSeq, segment: segment ?? '' };
    if (!isUnread && losses.covers({ kind: 'missing', ...range }))
      return ok('journal', `${events} lost, as a repair recorded`);
    return fail('journal', `${events} ${what}`, SEE_AND_REPAIR);
  });
  return [...gone, ...found];
}

const SEE_AND_REPAIR =
  'To see what was lost, run: ben10 verify. To repair, run: ben10 repair. To import lost events from transcripts, run: ben10 import';

const pathOf = ({ reader }: Project, name: string): string =>
  `${originDir(reader.layout, reader.origin()!)}/${name}`;

/** Nothing if it cannot be read, which `segments` reports. */
function newestSegment({ ports, layout, reader }: Project): Finding[] {
  const last = reader.segments().at(-1);
  if (last === undefined) {
    if (isTakenAway(ports, layout)) return [fail('journal', TAKEN_AWAY, BRING_BACK)];
    return [ok('journal', 'it is empty')];
  }
  // Behind a compaction it may still be empty.
  let newest = last.firstSeq - 1;
  let damaged = 0;
  for (const { entry } of reader.entries(last.firstSeq)) {
    if (entry === undefined) damaged += 1;
    else newest = entry.seq;
  }
  if (ports.refused?.has(last.path)) return [];
  if (damaged === 0) return [ok('journal', `its newest part is sound, up to @${newest}`)];
  const places = damaged === 1 ? 'one place' : `${damaged} places`;
  return [fail('journal', `its newest part is damaged in ${places}`, SEE_AND_REPAIR)];
}

/** Not a backup: new events may have the numbers of the missing ones. */
const GO_ON =
  'To import lost events from transcripts, run: ben10 import. Do not copy a backup over this journal; read it in another folder';

/** Stored states that are newer than the newest event. */
function ahead(project: Project): Finding[] {
  const { ports, reader } = project;
  const upto = storedUpto(project);
  const { lastSeq } = segmentSummaryOf(ports, reader);
  // Other checks report an empty journal, and an unreadable newest segment.
  const isHidden = ports.refused?.has(reader.segments().at(-1)?.path ?? '') === true;
  if (lastSeq === 0 || upto <= lastSeq || isHidden) return [];
  const what = `it ends at @${lastSeq}, but there is a stored state up to @${upto}: events were removed or lost in a power cut, or an older .ben10/journal was restored`;
  return [warn('journal', what, GO_ON)];
}

function others({ ports, layout }: Project): Finding[] {
  const mend = readOthers(ports, layout);
  return otherOrigins(ports, layout).map((origin) => {
    const what = `${layout.journal}/${origin} belongs to another copy of it, to another journal, or is from before it started over; it is not read`;
    return warn('journal', what, mend);
  });
}

/** Conflict copies of a sync program, after two machines wrote to one folder; they may contain events that are only there. */
function beside({ ports, layout }: Project): Finding[] {
  const names = unreadNames(ports, layout);
  if (names.length === 0) return [];
  const more = names.length === 1 ? 'is' : `and ${names.length - 1} more are`;
  const what = `${names[0]} ${more} not a segment, and not read`;
  const mend = `Exclude .ben10 from syncing between machines. If nothing is missing, move it out of ${layout.journal}/${homeOf(ports, layout)!.origin}`;
  return [warn('journal', what, mend)];
}

function inbox(project: Project): Finding {
  const { ports, layout } = project;
  const names = listInbox(ports, layout);
  const waiting = names.length;
  if (waiting === 0) return ok('inbox', 'empty');
  const what = `${waiting.toLocaleString('en-US')} ${waiting === 1 ? 'file waits' : 'files wait'} in it`;
  for (const name of names.slice(0, INBOX_FILES_WARN)) {
    const refused = touch(project, `${layout.inbox}/${name}`);
    if (refused === undefined) continue;
    const { file, why, next } = refused;
    return fail('inbox', `${what}, and ${file} cannot be read (${why})`, next);
  }
  if (waiting >= INBOX_FILES_MAX) {
    return fail(
      'inbox',
      `${what}: it is full`,
      'End the process that holds the lock, then run: ben10 log',
    );
  }
  if (readManifest(ports, layout)?.erasing !== undefined) {
    const mend =
      'Run: ben10 log, which finishes it. If that fails because of damage, run: ben10 repair';
    return warn('inbox', `${what} until an interrupted erasure is finished`, mend);
  }
  if (waiting <= INBOX_FILES_WARN) return ok('inbox', `${what}; the next writer appends them`);
  return warn('inbox', what, 'Run: ben10 log. If they stay, another process holds the lock');
}

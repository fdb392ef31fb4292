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

/** More than this is no passing moment any more: nobody has had the lock for a while. */
export const INBOX_FILES_WARN = 100;

const OTHERS = fail(
  'journal',
  "its manifest is another journal's, or from before this one was copied, so that nothing of this one is read; no event is lost by that",
  'Repair it: ben10 repair',
);

/**
 * A quick look: whether the segments follow on each other, the newest one, the inbox, what recovery has cut.
 * `ben10 verify` looks at everything.
 */
export function checkJournal(project: Project): Finding[] {
  const ofManifest = manifest(project);
  // Behind another journal's manifest there is none to look at.
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

/** A journal without segments and without a manifest is one that has just begun. */
function manifest({ ports, layout, reader }: Project): Finding[] {
  const found = readManifest(ports, layout);
  if (found !== undefined) return isMisplaced(ports, layout, found) ? [OTHERS] : [];
  const isThere = ports.fs.statIfThere(layout.manifest) !== undefined;
  if (!isThere && reader.segments().length === 0) return [];
  const what = isThere ? 'damaged' : 'missing';
  const cost = 'the names of texts kept beside the journal cannot be checked';
  return [fail('journal', `its manifest is ${what}: ${cost}`, 'Repair it: ben10 repair')];
}

/** Each segment's ends are looked at; what is in the middle of it is not. */
function segments(project: Project): Finding[] {
  const { ports, reader } = project;
  const { missing, strangers } = segmentSummaryOf(ports, reader);
  const found = strangers.map((name) =>
    fail('journal', `${name} is not the segment that it is called`, 'Repair it: ben10 repair'),
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
  'See what was lost: ben10 verify. Repair the rest: ben10 repair. Bring events back from the transcripts: ben10 import';

const pathOf = ({ reader }: Project, name: string): string =>
  `${originDir(reader.layout, reader.origin()!)}/${name}`;

/** None where it is not given: that has been told of. */
function newestSegment({ ports, layout, reader }: Project): Finding[] {
  const last = reader.segments().at(-1);
  if (last === undefined) {
    if (isTakenAway(ports, layout)) return [fail('journal', TAKEN_AWAY, BRING_BACK)];
    return [ok('journal', 'it is empty: nothing was recorded yet')];
  }
  let newest = 0;
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

/** Its events may have the numbers of those that are gone: a backup would take their place. */
const GO_ON =
  "What the client's transcripts still hold comes back with: ben10 import ~/.claude/projects. Put no backup over it; read that in another folder";

/** Stored states of events behind the newest one. */
function ahead(project: Project): Finding[] {
  const { ports, reader } = project;
  const upto = storedUpto(project);
  const { lastSeq } = segmentSummaryOf(ports, reader);
  // A journal without any event has been told of, and so has a newest segment that hides where it ends.
  const isHidden = ports.refused?.has(reader.segments().at(-1)?.path ?? '') === true;
  if (lastSeq === 0 || upto <= lastSeq || isHidden) return [];
  const what = `a state of up to @${upto} is stored, and it ends at @${lastSeq}: events were taken away, a loss of power took them, or an older .ben10/journal was put back`;
  return [warn('journal', what, GO_ON)];
}

function others({ ports, layout }: Project): Finding[] {
  const mend = readOthers(ports, layout);
  return otherOrigins(ports, layout).map((origin) => {
    const what = `${layout.journal}/${origin} is of another copy of it, of another journal, or from before it began again, and not read`;
    return warn('journal', what, mend);
  });
}

/** What a program that syncs put beside a segment where two machines wrote to one folder: events may stand there alone. */
function beside({ ports, layout }: Project): Finding[] {
  const names = unreadNames(ports, layout);
  if (names.length === 0) return [];
  const more = names.length === 1 ? 'is' : `and ${names.length - 1} more are`;
  const what = `${names[0]} ${more} beside the segments, and not read`;
  const mend = `Leave .ben10 out of what is synced between machines. Where nothing is missing, move it out of ${layout.journal}/${homeOf(ports, layout)!.origin}`;
  return [warn('journal', what, mend)];
}

function inbox(project: Project): Finding {
  const { ports, layout } = project;
  const names = listInbox(ports, layout);
  const waiting = names.length;
  if (waiting === 0) return ok('inbox', 'nothing waits in it');
  const what = `${waiting.toLocaleString('en-US')} ${waiting === 1 ? 'file waits' : 'files wait'} in it`;
  for (const name of names.slice(0, INBOX_FILES_WARN)) {
    const refused = touch(project, `${layout.inbox}/${name}`);
    if (refused === undefined) continue;
    const { file, why, next } = refused;
    return fail('inbox', `${what}, and ${file} cannot be read (${why})`, next);
  }
  if (waiting >= INBOX_FILES_MAX) {
    return fail('inbox', `${what}: it is full`, 'End what holds the lock, then run: ben10 log');
  }
  if (readManifest(ports, layout)?.erasing !== undefined) {
    const mend = 'Run: ben10 log, which ends it. What keeps it from that is damage: ben10 repair';
    return warn('inbox', `${what} until an erasure that was cut off has ended`, mend);
  }
  if (waiting <= INBOX_FILES_WARN) return ok('inbox', `${what}; the next writer takes them in`);
  return warn('inbox', what, 'Run: ben10 log. If they stay, another process holds the lock');
}

import type { ErasureDone } from '../../erasure/erase.ts';
import type { Left } from '../../erasure/left.ts';
import type { ErasurePlan, FoundEvent } from '../../erasure/plan.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { facts } from './facts.ts';
import { dateTime, plural } from './format.ts';
import { table } from './table.ts';
import type { Colours } from './terminal.ts';
import { TEXT_WIDTH, wrap } from './wrap.ts';

/** Events that are listed; a program asks for all of them with `--json`. */
const EVENTS_SHOWN = 40;

/** Saves and snapshots that are named. */
const LOST_SHOWN = 8;

/** What would be done, as a table of events and a list of the rest. */
export function planLines(plan: ErasurePlan): string[] {
  const { events, derived } = plan;
  const shown = events.slice(0, EVENTS_SHOWN).map(eventRow);
  const more = events.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : table(['>event', 'type', 'time', 'what goes'], shown)),
    ...(more > 0 ? [`  and ${plural(more, 'more event')}: ben10 erase … --json lists all`] : []),
    ...(shown.length === 0 ? [] : ['']),
    ...facts([
      ['events', String(events.length)],
      ['rewritten', namesOf(plan.segments)],
      [
        'texts beside',
        `those of these events alone; ${plan.orphanedBlobs} that belong to no event`,
      ],
      [
        'inbox',
        plan.waiting === 0 ? 'empty' : `${plural(plan.waiting, 'file')}, searched when it is done`,
      ],
      ...unrecordedFact(plan),
      ['states', statesFact(plan)],
      ['quarantine', `${plural(derived.quarantine.length, 'file')} removed`],
      ['left files', `${plural(derived.leftovers.length, 'file')} of crashed writers removed`],
    ]),
    ...lostLines(plan),
    ...wholeLines(plan),
    ...wordingLines(plan),
    ...leftLines(plan.elsewhere, plan),
    ...unreadFileLines(plan),
    ...unreadLines(plan),
    ...unsearchedLines(plan),
    ...reachLines(plan),
  ];
}

function statesFact({ derived, lost }: ErasurePlan): string {
  const butFor = lost.length === 0 ? '' : `, but for ${lost.length}`;
  return `${plural(derived.states.length, 'file')} removed, made again when asked for${butFor}`;
}

/** Saves of before a drop: nobody can tell them apart from what was erased, and the events that they were made of are gone. */
function lostLines({ lost }: ErasurePlan): string[] {
  const names = lost.slice(0, LOST_SHOWN).map(oneLine).join(', ');
  const more = lost.length > LOST_SHOWN ? `, and ${lost.length - LOST_SHOWN} more` : '';
  const text = `Gone for good, for the journal no longer reaches back to them: ${names}${more}.`;
  return lost.length === 0 ? [] : ['', wrap(text, TEXT_WIDTH)];
}

function unrecordedFact({ unrecorded }: ErasurePlan): [string, string][] {
  const { facts, transcripts, holds } = unrecorded;
  if (facts === 0) return [];
  const what = `${plural(facts, 'fact')} of ${plural(transcripts.length, 'transcript')}`;
  const held = holds ? 'holds it; recorded first, erased then' : 'recorded first';
  return [['not recorded', `${what}: ${held}`]];
}

/** A typo must not cost somebody the journal. */
function wholeLines({ events, searched }: ErasurePlan): string[] {
  const whole = events.filter((one) => one.replacement === undefined && !one.isDigest).length;
  if (whole * 2 <= searched) return [];
  const warning = `Careful: all of ${plural(whole, 'event')} would go, of ${searched} in the journal. Is that what you want?`;
  return ['', wrap(warning, TEXT_WIDTH)];
}

/** What was done, and what is left to people. */
export function doneLines(
  { events, segments, blobs, files, plan, left, waiting }: ErasureDone,
  isDone: boolean,
  { green, red }: Colours,
): string[] {
  if (events === 0 && files === 0 && isDone && isEmpty(plan)) return nothingLines(plan);
  const verdict = isDone
    ? green(`${plural(events, 'event')} erased.`)
    : red(`${plural(events, 'event')} erased, but not everything is gone.`);
  return [
    verdict,
    '',
    ...facts([
      ...recordedFact(plan),
      ['rewritten', plural(segments.length, 'segment')],
      ['blobs', `${blobs} removed`],
      ['files', `${files} removed: stored states, and what was put aside`],
    ]),
    ...lostLines(plan),
    ...wordingLines(plan),
    ...leftLines(left, plan),
    ...unreadLines(plan),
    ...waiting.map((name) => `inbox/${name} cannot be read: what is in it is not known.`),
    ...unsearchedLines(plan),
    ...reachLines(plan),
  ];
}

/** Segments that a line can name. */
const NAMES_SHOWN = 3;

function namesOf(segments: readonly string[]): string {
  const names = segments.slice(0, NAMES_SHOWN).join(', ');
  const more = segments.length - NAMES_SHOWN;
  return more > 0 ? `${plural(segments.length, 'segment')}: ${names}, …` : names || 'no segment';
}

/** Where there is nothing to erase, and what of it is not sure. */
export function nothingLines(plan: ErasurePlan): string[] {
  const isAll = plan.unsearched.length === 0 && plan.unread.length === 0;
  return [
    isAll
      ? 'Nothing was found: there is nothing to erase.'
      : 'Nothing was found in the events that can be read.',
    ...unreadFileLines(plan),
    ...unreadLines(plan),
    ...unsearchedLines(plan),
  ];
}

export const isEmpty = (plan: ErasurePlan): boolean =>
  plan.events.length === 0 &&
  plan.orphanedBlobs === 0 &&
  plan.waiting === 0 &&
  plan.holding.length === 0 &&
  plan.elsewhere.length === 0 &&
  !plan.unrecorded.holds;

const eventRow = (event: FoundEvent): string[] => [
  `@${event.seq}`,
  event.type === null ? '?' : oneLine(event.type).slice(0, 40),
  dateTime(event.at),
  whatGoes(event),
];

function whatGoes({ replacement, isDigest, isWording }: FoundEvent): string {
  if (isDigest) return 'a digest of it';
  if (isWording) return 'its lines in a state';
  return replacement === undefined ? 'all of it' : 'the secret in it';
}

const WORDING = `States that stand for dropped events lose the lines of the erased events, whoever said them. If a text must be gone to the last word: ben10 erase --pattern -`;

const wordingLines = ({ events }: ErasurePlan): string[] =>
  events.some(({ isWording }) => isWording) ? ['', wrap(WORDING, TEXT_WIDTH)] : [];

/** What stands in damaged bytes is said with the damage. */
const leftLines = (left: readonly Left[], { damaged }: ErasurePlan): string[] =>
  left
    .filter(({ file, what }) => what !== 'segment' || !damaged.some((name) => file.endsWith(name)))
    .map(({ file, what }) => wrap(leftLine(oneLine(file), what), TEXT_WIDTH));

const unreadFileLines = (plan: ErasurePlan): string[] =>
  leftLines(
    plan.unread.map((file) => ({ file, what: 'unread' })),
    plan,
  );

function leftLine(file: string, what: Left['what']): string {
  if (what === 'settings')
    return `${file} holds it too: it is your own file. Take it out there, then run: ben10 init`;
  if (what === 'abandoned')
    return `${file} holds it too: it was left there when context.storageLocation was changed, and is not read any more. Remove it, or erase there: put the old place in, erase, and change it back.`;
  if (what === 'unread')
    return `${file} could not be searched: it is too large, may not be read, or its name is no text. Should it hold it, remove the file.`;
  return what === 'segment'
    ? `${file} still holds it. Run ben10 repair --yes, then erase it again.`
    : `${file} still holds it: run the same again; if it stays, remove the file.`;
}

function recordedFact({ unrecorded: { facts, transcripts } }: ErasurePlan): [string, string][] {
  if (facts === 0) return [];
  const from = plural(transcripts.length, 'transcript');
  return [['recorded', `${plural(facts, 'fact')} of ${from}, before it was searched`]];
}

/** What transcripts may hold that could not be read: the next hook that can brings it into the journal. */
function unreadLines({ unrecorded: { unreadable, unfinished } }: ErasurePlan): string[] {
  return [
    ...namesAfter('Not searched, for these transcripts cannot be read:', unreadable),
    ...namesAfter('Not searched, for the client is still writing it: the end of', unfinished),
  ];
}

const namesAfter = (what: string, paths: readonly string[]): string[] =>
  paths.length === 0
    ? []
    : ['', wrap(what, TEXT_WIDTH), ...paths.map((path) => `  ${oneLine(path)}`)];

function unsearchedLines({ unsearched, damaged }: ErasurePlan): string[] {
  return [
    ...namesAfter('Damaged, and it stands in bytes that cannot be read as events:', damaged),
    ...namesAfter(
      'Not searched, for it is damaged:',
      unsearched.filter((name) => !damaged.includes(name)),
    ),
    ...(unsearched.length === 0
      ? []
      : [wrap('First run ben10 repair --yes, then erase it again.', TEXT_WIDTH)]),
  ];
}

const RESTART =
  'Restart every client that is running in this project: its memory, and that of the ben10 server it started, may still hold the text. ben10 status lists such servers.';

/** What ben10 cannot do for anybody. */
function reachLines({ transcripts, inGit }: ErasurePlan): string[] {
  const paths = transcripts.map((path) => `  ${oneLine(path)}`);
  const git = `Git has .ben10 in this project: its history and every clone hold it still.`;
  return [
    '',
    wrap(RESTART, TEXT_WIDTH),
    wrap(
      `Not reached: backups, snapshots of the disk, other copies of .ben10, the memory of other programs, swapped-out memory, and what the client itself wrote down${paths.length === 0 ? '.' : ':'}`,
      TEXT_WIDTH,
    ),
    ...paths,
    wrap(
      'What the client writes from now on is recorded as new, also what it copies into a new session (a fork, or a transcript under another id): then erase again.',
      TEXT_WIDTH,
    ),
    ...(inGit ? [wrap(git, TEXT_WIDTH)] : []),
    wrap('Change the secret where it is valid: who has seen it can still use it.', TEXT_WIDTH),
  ];
}

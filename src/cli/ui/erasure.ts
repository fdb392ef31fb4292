import type { ErasureDone } from '../../erasure/erase.ts';
import type { Left } from '../../erasure/left.ts';
import type { ErasurePlan, FoundEvent } from '../../erasure/plan.ts';
import { HANDOFFS_DIR } from '../../handoff/document.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { facts } from './facts.ts';
import { dateTime, plural } from './format.ts';
import { table } from './table.ts';
import type { Colours } from './terminal.ts';
import { wrap } from './wrap.ts';

const EVENTS_SHOWN = 40;

const LOST_SHOWN = 8;

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
      ['blobs', `of these events; and ${plan.orphanedBlobs} without an event`],
      ['inbox', plan.waiting === 0 ? 'empty' : `${plural(plan.waiting, 'file')} to search`],
      ...unrecordedFact(plan),
      ['states', statesFact(plan)],
      ['quarantine', `${plural(derived.quarantine.length, 'file')} removed`],
      ['leftovers', `${plural(derived.leftovers.length, 'file')} of crashed writers removed`],
    ]),
    ...lostLines(plan),
    ...packLines(plan),
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
  const except = lost.length === 0 ? '' : `, except ${lost.length}`;
  return `${plural(derived.states.length, 'file')} removed, rebuilt when needed${except}`;
}

/** Saves from before a drop may contain the erased text, and their events are gone. */
function lostLines({ lost }: ErasurePlan): string[] {
  const names = lost.slice(0, LOST_SHOWN).map(oneLine).join(', ');
  const more = lost.length > LOST_SHOWN ? `, and ${lost.length - LOST_SHOWN} more` : '';
  const text = `Cannot be rebuilt, because the journal no longer reaches back to them: ${names}${more}.`;
  return lost.length === 0 ? [] : ['', wrap(text)];
}

/** Nothing can make them again: files change. */
const packLines = ({ packSnapshots }: ErasurePlan): string[] =>
  namesAfter('Snapshots of packs that held it, or may have:', packSnapshots);

function unrecordedFact({ unrecorded }: ErasurePlan): [string, string][] {
  const { facts, transcripts, holds } = unrecorded;
  if (facts === 0) return [];
  const what = `${plural(facts, 'fact')} of ${plural(transcripts.length, 'transcript')}`;
  const held = holds ? 'contains it; recorded first, then erased' : 'recorded first';
  return [['not recorded', `${what}: ${held}`]];
}

/** Protects from a pattern that matches nearly everything. */
function wholeLines({ events, searched }: ErasurePlan): string[] {
  const whole = events.filter((one) => one.replacement === undefined && !one.isDigest).length;
  if (whole * 2 <= searched) return [];
  const warning = `Careful: this erases ${plural(whole, 'event')} completely, of ${searched} in the journal. Is that what you want?`;
  return ['', wrap(warning)];
}

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
      ['files', `${files} removed: stored states and quarantine`],
    ]),
    ...lostLines(plan),
    ...packLines(plan),
    ...wordingLines(plan),
    ...leftLines(left, plan),
    ...unreadLines(plan),
    ...waiting.map((name) => `inbox/${name} cannot be read, and was not searched.`),
    ...unsearchedLines(plan),
    ...reachLines(plan),
  ];
}

const NAMES_SHOWN = 3;

function namesOf(segments: readonly string[]): string {
  const names = segments.slice(0, NAMES_SHOWN).join(', ');
  const more = segments.length - NAMES_SHOWN;
  return more > 0 ? `${plural(segments.length, 'segment')}: ${names}, …` : names || 'no segment';
}

export function nothingLines(plan: ErasurePlan): string[] {
  const isAll = plan.unsearched.length === 0 && plan.unread.length === 0;
  return [
    isAll ? 'Nothing was found.' : 'Nothing was found in the readable events.',
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

function whatGoes({ replacement, isDigest, isWording, isQuote }: FoundEvent): string {
  if (isDigest) return 'a digest of it';
  if (isWording) return 'its lines in a state';
  if (isQuote && replacement !== undefined) return 'what it quotes';
  return replacement === undefined ? 'all of it' : 'the secret in it';
}

const WORDING = `Final states of dropped events lose the lines of the erased events. To make sure that a text is gone everywhere: ben10 erase --pattern -`;

const QUOTES = `Handoffs lose what they quote of the erased events. Their files in ${HANDOFFS_DIR} are yours, and may still have it: change or remove them.`;

const wordingLines = ({ events }: ErasurePlan): string[] =>
  [
    events.some(({ isWording }) => isWording) ? ['', wrap(WORDING)] : [],
    events.some(({ isQuote }) => isQuote) ? ['', wrap(QUOTES)] : [],
  ].flat();

/** Damaged segments are listed with the damage. */
const leftLines = (left: readonly Left[], { damaged }: ErasurePlan): string[] =>
  left
    .filter(({ file, what }) => what !== 'segment' || !damaged.some((name) => file.endsWith(name)))
    .map(({ file, what }) => wrap(leftLine(oneLine(file), what)));

const unreadFileLines = (plan: ErasurePlan): string[] =>
  leftLines(
    plan.unread.map((file) => ({ file, what: 'unread' })),
    plan,
  );

function leftLine(file: string, what: Left['what']): string {
  if (what === 'settings')
    return `${file} contains it, too. Remove it from this file yourself, then run: ben10 init`;
  if (what === 'document') return `${file} contains it, too. It is yours: change or remove it.`;
  if (what === 'abandoned')
    return `${file} contains it, too; the journal was there before context.storageLocation was changed. Remove it, or erase there: set the old location, erase, and change it back.`;
  if (what === 'unread')
    return `${file} could not be searched: it is too large or unreadable, or its name is not UTF-8. If it contains the text, remove it.`;
  return what === 'segment'
    ? `${file} still contains it. Run ben10 repair --yes, then erase again.`
    : `${file} still contains it. Run the command again; if it stays, remove the file.`;
}

function recordedFact({ unrecorded: { facts, transcripts } }: ErasurePlan): [string, string][] {
  if (facts === 0) return [];
  const from = plural(transcripts.length, 'transcript');
  return [['recorded', `${plural(facts, 'fact')} of ${from}, before the search`]];
}

/** Unread transcripts: a later hook may bring the text back. */
function unreadLines({ unrecorded: { unreadable, unfinished } }: ErasurePlan): string[] {
  return [
    ...namesAfter('Not searched, because these transcripts cannot be read:', unreadable),
    ...namesAfter('Not searched, because the client is still writing: the end of', unfinished),
  ];
}

const namesAfter = (what: string, paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : ['', wrap(what), ...paths.map((path) => `  ${oneLine(path)}`)];

function unsearchedLines({ unsearched, damaged }: ErasurePlan): string[] {
  return [
    ...namesAfter('Contained in damaged bytes, which are not events:', damaged),
    ...namesAfter(
      'Not searched, because of damage:',
      unsearched.filter((name) => !damaged.includes(name)),
    ),
    ...(unsearched.length === 0 ? [] : [wrap('First run ben10 repair --yes, then erase again.')]),
  ];
}

const RESTART =
  'Restart all clients in this project: their memory, and that of their MCP servers, may still hold the text. ben10 status lists such servers.';

/** What ben10 cannot erase. */
function reachLines({ transcripts, inGit }: ErasurePlan): string[] {
  const paths = transcripts.map((path) => `  ${oneLine(path)}`);
  const git = `.ben10 is in git here: the history and all clones still contain the text.`;
  return [
    '',
    wrap(RESTART),
    wrap(
      `Not erased: backups, disk snapshots, other copies of .ben10, memory of other programs, swapped memory, and the client's own files${paths.length === 0 ? '.' : ':'}`,
    ),
    ...paths,
    wrap(
      'If the client writes the text again, for instance into a forked session, it is recorded again: then erase again.',
    ),
    ...(inGit ? [wrap(git)] : []),
    wrap('Change the secret where it is used: others may have seen it.'),
  ];
}

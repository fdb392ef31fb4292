import type { EvidenceState } from '../projections/folds/evidence.ts';
import { activation, allNames, type Name as Record } from '../projections/folds/evidence-names.ts';
import { namesAmong, referencesIn } from '../projections/references.ts';
import type { Extra, Found } from './item.ts';

export interface Name {
  text: string;
  record: Record;
  /** See `activation`, in mentions. */
  strength: number;
}

/** Names by the file that they belong to; '' are those that belong to none that is known. */
export type Homes = Map<string, Name[]>;

/** In mentions: nobody has come back to it for hundreds of steps. */
const FORGOTTEN = 0.02;
const BARE_DIGITS_MIN = 3;
/** In one line of names that belong to no file. */
const NAMES_PER_LINE = 12;

/** Names and paths by their files, in each the strongest first. A path of a known file is its file's. */
export function namesByHome(
  evidence: EvidenceState,
  files: readonly string[],
  inside: (text: string) => string,
): Homes {
  const known = new Set(files);
  const byTail = new Map(files.map((file) => [inside(file), file]));
  const byName = uniqueNames(files);
  const homes: Homes = new Map();
  for (const [text, record] of allNames(evidence.names)) {
    const named =
      record.kind === 'path'
        ? known.has(text)
          ? text
          : (byTail.get(inside(text)) ?? byName.get(text))
        : undefined;
    const home = named ?? (record.home !== null && known.has(record.home) ? record.home : '');
    const name = { text, record, strength: strengthOf(record, evidence.tick) };
    if (name.strength < FORGOTTEN || isBareDigits(text) || isPlainWord(text)) continue;
    const own = homes.get(home);
    if (own === undefined) homes.set(home, [name]);
    else own.push(name);
  }
  for (const names of homes.values()) names.sort(byStrength);
  return homes;
}

/** `60`, `0.5`: without what it counts, a number so short tells nobody anything. */
const isBareDigits = (text: string): boolean =>
  /^[\d.,:_]+$/.test(text) && text.replace(/\D/g, '').length < BARE_DIGITS_MIN;

/** `print`, `main`, `MORE`: everybody's words, wherever they are called or shouted. */
const isPlainWord = (text: string): boolean => /^(?:[a-z]{2,12}|[A-Z]{2,12})$/.test(text);

/** Files by the last part of their path, where only one has it. */
function uniqueNames(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string | null>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    found.set(name, found.has(name) ? null : file);
  }
  return new Map([...found].flatMap(([name, file]) => (file === null ? [] : [[name, file]])));
}

/** In mentions; a number in what a tool printed is mostly one of many. */
function strengthOf(record: Record, tick: number): number {
  const strength = activation(record, tick) / 1000;
  return record.kind === 'number' && record.uses === 0 ? strength / 3 : strength;
}

const byStrength = (a: Name, b: Name): number =>
  b.strength - a.strength || b.record.seq - a.record.seq || (a.text < b.text ? -1 : 1);

const NAME_WORTH = 1;
/** Grows slowly: what is mentioned a hundred times is not needed a hundred times as much. */
export const worthOf = (strength: number): number => NAME_WORTH * Math.log2(1 + strength * 2);

export const extraOf = ({ text, strength }: Name, inside: (text: string) => string): Extra => ({
  text: inside(text),
  worth: worthOf(strength),
});

/** A number without its surroundings tells something only to who has used it. */
const isTelling = ({ record }: Name): boolean => record.kind !== 'number' || record.uses > 0;

/** Names with a comma or a colon in them: `1,204`, `12:30`, `http://localhost:3000`. */
const JOINED = /\d,\d|\w:[\d/]/;

/** What a text names. */
export const namesToldIn = (text: string): string[] =>
  JOINED.test(text) ? [...namesAmong(text), ...referencesIn(text).keys()] : namesAmong(text);

/** The names that lines have in their text. */
export const namesTold = (items: readonly Pick<Found, 'text'>[]): Set<string> =>
  new Set(items.flatMap(({ text }) => namesToldIn(text)));

/** Without the names that are told elsewhere; null when nothing is left of it. */
export function withoutTold<T extends Found>(item: T, told: ReadonlySet<string>): T | null {
  const { text, extras } = item;
  if (extras === undefined) return item;
  const rest = extras.filter((extra) => !told.has(extra.text));
  return text === '' && rest.length === 0 ? null : { ...item, extras: rest };
}

/** Names of no file, in lines of those that were last mentioned at about the same time. */
export function mentionItems(homes: Homes): Found[] {
  const names = (homes.get('') ?? [])
    .filter(isTelling)
    .toSorted((a, b) => b.record.seq - a.record.seq);
  const items: Found[] = [];
  for (let from = 0; from < names.length; from += NAMES_PER_LINE) {
    const line = names.slice(from, from + NAMES_PER_LINE);
    const { seq } = line[0]!.record;
    const extras = line.toSorted(byStrength).map((name) => extraOf(name, (text) => text));
    // Names have no time, and are in the order of their events.
    items.push({ kind: 'mention', text: '', seq, at: 0, extras, identity: `${seq}` });
  }
  return items;
}

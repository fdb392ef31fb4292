import type { EvidenceState } from '../projections/folds/evidence.ts';
import { activation, allNames, type Name as Record } from '../projections/folds/evidence-names.ts';
import { namesAmong, referencesIn } from '../projections/references.ts';
import type { Extra, Found } from './item.ts';

export interface Name {
  text: string;
  record: Record;
  /** `activation` in mentions. */
  strength: number;
}

/** Names by their file; '' for none. */
export type Homes = Map<string, Name[]>;

/** Unused for hundreds of steps; in mentions. */
const FORGOTTEN = 0.02;
const BARE_DIGITS_MIN = 3;
/** For names without a file. */
const NAMES_PER_LINE = 12;

/** Names by file, strongest first. A path that means a known file belongs to it. */
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

/** Short numbers mean nothing without their unit: `60`, `0.5`. */
const isBareDigits = (text: string): boolean =>
  /^[\d.,:_]+$/.test(text) && text.replace(/\D/g, '').length < BARE_DIGITS_MIN;

/** Everyday words: `print`, `main`, `MORE`. */
const isPlainWord = (text: string): boolean => /^(?:[a-z]{2,12}|[A-Z]{2,12})$/.test(text);

function uniqueNames(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string | null>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    found.set(name, found.has(name) ? null : file);
  }
  return new Map([...found].flatMap(([name, file]) => (file === null ? [] : [[name, file]])));
}

/** In mentions; a number from a tool's output is mostly one of many. */
function strengthOf(record: Record, tick: number): number {
  const strength = activation(record, tick) / 1000;
  return record.kind === 'number' && record.uses === 0 ? strength / 3 : strength;
}

const byStrength = (a: Name, b: Name): number =>
  b.strength - a.strength || b.record.seq - a.record.seq || (a.text < b.text ? -1 : 1);

const NAME_WORTH = 1;
/** Logarithmic: a hundred mentions are not a hundred times as useful. */
export const worthOf = (strength: number): number => NAME_WORTH * Math.log2(1 + strength * 2);

export const extraOf = ({ text, strength }: Name, inside: (text: string) => string): Extra => ({
  text: inside(text),
  worth: worthOf(strength),
});

/** A number alone says nothing: not even what it counts. */
const isTelling = ({ record }: Name): boolean => record.kind !== 'number';

/** Names that contain separators: `1,204`, `12:30`, `http://localhost:3000`. */
const JOINED = /\d,\d|\w:[\d/]/;

export const namesStatedIn = (text: string): string[] =>
  JOINED.test(text) ? [...namesAmong(text), ...referencesIn(text).keys()] : namesAmong(text);

export const namesStated = (items: readonly Pick<Found, 'text'>[]): Set<string> =>
  new Set(items.flatMap(({ text }) => namesStatedIn(text)));

/** Without names given elsewhere; null when nothing is left. */
export function withoutStated<T extends Found>(item: T, told: ReadonlySet<string>): T | null {
  const { text, extras } = item;
  if (extras === undefined) return item;
  const rest = extras.filter((extra) => !told.has(extra.text));
  return text === '' && rest.length === 0 ? null : { ...item, extras: rest };
}

/** Names without a file, in lines by last mention. */
export function mentionItems(homes: Homes): Found[] {
  const names = (homes.get('') ?? [])
    .filter(isTelling)
    .toSorted((a, b) => b.record.seq - a.record.seq);
  const items: Found[] = [];
  for (let from = 0; from < names.length; from += NAMES_PER_LINE) {
    const line = names.slice(from, from + NAMES_PER_LINE);
    const { seq } = line[0]!.record;
    const extras = line.toSorted(byStrength).map((name) => extraOf(name, (text) => text));
    // Names have no time; their event gives the order.
    items.push({ kind: 'mention', text: '', seq, at: 0, extras, identity: `${seq}` });
  }
  return items;
}

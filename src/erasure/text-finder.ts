import { contained, ERASED } from '../projections/safe-text.ts';
import {
  asIs,
  type Decoded,
  layersOf,
  occurrencesOf,
  type Span,
  unbroken,
  unescaped,
  withReplaced,
} from './decoded.ts';
import { changed, type Finder, SECRET_CHARS_MIN } from './finder.ts';
import { piecesAtMarkers, withoutPieces } from './pieces.ts';

/** What a secret always becomes when encoded at one alignment. */
interface Encoded {
  text: string;
  /** Whether the characters around it hold some of its bits. */
  sharesStart: boolean;
  sharesEnd: boolean;
}

/** Shorter pieces occur by chance. */
const BASE64_CHARS_MIN = 5;
/** Removing one match may create another. */
const ROUNDS_MAX = 4;

/** Finds texts as they stand, with escapes of JSON, percent-encoded, in base64 at each alignment, and in hex. */
export function textFinder(secrets: readonly string[]): Finder {
  const wanted = secrets.filter((one) => one !== '');
  const long = wanted.filter((one) => one.length >= SECRET_CHARS_MIN);
  const bytes = wanted.map((one) => Buffer.from(one));
  // A backslash at the end joins what comes after it.
  const read = unique(long.flatMap((one) => [one, unescaped(one)]))
    .map((one) => folded(one).replace(/\\+$/, ''))
    .filter((one) => one.trim().length >= SECRET_CHARS_MIN);
  const encoded = long.flatMap(encodedForms);
  function* spansIn(text: string): Generator<Span> {
    for (const one of wanted) yield* occurrencesOf(text, one);
    const layers = layersOf(text);
    for (const { text: plain, origin } of layers) {
      const there = folded(plain);
      for (const one of read) for (const span of occurrencesOf(there, one)) yield origin(span);
      for (const span of piecesAtMarkers(there, read)) yield origin(span);
    }
    for (const layer of [asIs(text), unbroken(layers.at(-1)!)]) yield* encodedIn(layer, encoded);
  }
  const isIn = (all: Buffer): boolean =>
    bytes.some((one) => all.includes(one)) || spansIn(all.toString('utf8')).next().done !== true;
  const withoutIt = rememberingShort((text) => {
    let left = text;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const spans = [...spansIn(left)];
      if (spans.length === 0) return left;
      left = withReplaced(left, spans, ERASED);
    }
    return isIn(Buffer.from(left)) ? ERASED : left;
  });
  const rewritten = wanted.map(asInPayloads).filter((one) => !wanted.includes(one));
  const inPayloads = rewritten.length > 0 ? textFinder(rewritten) : undefined;
  return {
    isIn,
    isLike: isIn,
    withoutIt,
    isInPayload: (text) => withoutIt(text) !== text || inPayloads?.isInPayload(text) === true,
    dataWithoutIt: (data) => changed(data, withoutIt, isIn),
    stateWithoutIt: (state) =>
      changed(state, (text) => withoutPieces(withoutIt(text), wanted), isIn),
  };
}

/** Line ends become LF there, and what only a model sees goes. The same if too little would be left. */
function asInPayloads(secret: string): string {
  const text = contained(secret.replace(/\r\n?/g, '\n'));
  return text.trim().length >= SECRET_CHARS_MIN ? text : secret;
}

/** Web forms write a space as a plus sign: both count as the same. */
const folded = (text: string): string => text.replaceAll('+', ' ');

function encodedForms(secret: string): Encoded[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before): Encoded => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first characters hold bits of what comes before, the last one of what comes after.
    const start = (before * 8) / 6;
    const end = ((before + bytes.length) * 8) / 6;
    return {
      text: text.slice(Math.ceil(start), Math.floor(end)),
      sharesStart: !Number.isInteger(start),
      sharesEnd: !Number.isInteger(end),
    };
  });
  const long = base64.filter(({ text }) => text.length >= BASE64_CHARS_MIN);
  const forUrls = long
    .filter(({ text }) => /[+/]/.test(text))
    .map((one) => ({ ...one, text: one.text.replaceAll('+', '-').replaceAll('/', '_') }));
  const hex = bytes.toString('hex');
  const alone = { sharesStart: false, sharesEnd: false };
  return [
    ...long,
    ...forUrls,
    ...unique([hex, hex.toUpperCase()]).map((text) => ({ text, ...alone })),
  ];
}

/** With the characters that hold some of its bits, and the padding, which tells its length. */
function* encodedIn({ text, origin }: Decoded, forms: readonly Encoded[]): Generator<Span> {
  for (const { text: one, sharesStart, sharesEnd } of forms) {
    for (const [start, end] of occurrencesOf(text, one)) {
      let last = sharesEnd && isBase64(text[end]) ? end + 1 : end;
      while (sharesEnd && last < end + 3 && text[last] === '=') last += 1;
      yield origin([sharesStart && isBase64(text[start - 1]) ? start - 1 : start, last]);
    }
  }
}

const isBase64 = (char = ''): boolean => /^[\w+/-]/.test(char);
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Names of fields, tools and sessions recur. */
const SHORT_CHARS = 128;
const SHORT_KEPT = 20_000;

/** The same change, remembering short texts that stay as they are. */
function rememberingShort(change: (text: string) => string): (text: string) => string {
  const same = new Set<string>();
  return (text) => {
    if (text.length > SHORT_CHARS) return change(text);
    if (same.has(text)) return text;
    const left = change(text);
    if (left === text && same.size < SHORT_KEPT) same.add(text);
    return left;
  };
}

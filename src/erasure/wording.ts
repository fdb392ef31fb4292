import { ERASED } from './finder.ts';
import { type Layer, placesOf, type Span, withReplaced } from './layer.ts';
import { layersOf, unescaped } from './unescaped.ts';

/** What texts are cut at: a path, an id or an address is one piece. */
const TOKEN = /[^\s"'`´‘’“”«»<>()[\]{},;|=…]+/gu;
const INNER = /[\p{L}\p{M}\p{N}_]+/gu;
/** What stands around a word and is none of it. */
const EDGES = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;
/** A word of a language: it says nothing alone, whoever said it. */
const ORDINARY = /^\p{L}?\p{Ll}{0,10}$/u;
const NUMBER = /^\p{N}+$/u;
/** Capitals within a sentence make a name. */
const NAME = /[\p{Ll}\p{N},;:)] +["'“]?(\p{Lu}\p{L}+)/gu;
/** Shorter pieces stand everywhere. */
const CHARS_MIN = 4;
/** Digits that are part of a date or a version, and not all of a piece. */
const DIGITS_MIN = 6;
/** So many words behind each other are somebody's. */
const RUN_WORDS = 3;
/** What a fold writes where it cut a text. */
const CUT = '…';

interface Word {
  span: Span;
  /** In lower case. */
  text: string;
}

/**
 * What some texts say, to take it out of others that were made of them: cut, joined, put in one line or into a list of names. Words
 * that stand behind each other in both go, lines that have nothing else, and every piece that is no ordinary word alone.
 * What somebody else said in the same words goes with it.
 */
export class Wording {
  /** Pairs of words, and runs of them. */
  readonly #behind = new Set<string>();
  /** Capitalized, though no sentence begins with them. */
  readonly #names = new Set<string>();
  /** All words, a text a line, each between spaces. */
  readonly #words: string;
  readonly #text: string;
  readonly #stays: readonly string[];

  /** @param stays names and paths that ben10 needs: they stay, and so do parts of the paths */
  constructor(texts: Iterable<string>, stays: readonly string[]) {
    this.#stays = stays.map((one) => one.toLowerCase());
    const read = [...new Set([...texts].flatMap((text) => [text, unescaped(text).text]))];
    for (const text of read) {
      for (const [, name] of text.matchAll(NAME)) this.#names.add(name!);
      this.#learn(wordsOf(text));
    }
    this.#words = read.map((text) => ` ${keyOf(wordsOf(text))} `).join('\n');
    this.#text = read.join('\n').toLowerCase();
  }

  #learn(words: readonly Word[]): void {
    for (let at = 1; at < words.length; at += 1)
      for (const count of [2, RUN_WORDS])
        if (at + 1 >= count) this.#behind.add(keyOf(words.slice(at + 1 - count, at + 1)));
  }

  /** The very same string where it has none of it. */
  takenFrom(text: string): string {
    if (this.#isOurs(text)) return text;
    const spans = layersOf(text).flatMap((layer) => [...this.#in(layer)]);
    return spans.length === 0 ? text : withReplaced(text, spans, ERASED);
  }

  *#in(layer: Layer): Generator<Span> {
    const { text } = layer;
    let at = 0;
    for (const line of text.split('\n')) {
      const isWhole = at > 0 && at + line.length < text.length && !line.includes(CUT);
      for (const [start, end] of this.#inLine(line, isWhole))
        yield layer.origin([at + start, at + end]);
      at += line.length + 1;
    }
  }

  *#inLine(line: string, isWhole: boolean): Generator<Span> {
    const words = wordsOf(line);
    const has = (start: number, end: number) => this.#has(words, start, end, isWhole);
    const isBehind = words.map((_, at) => at > 0 && has(at - 1, at + 1));
    const first = isBehind.indexOf(true) - 1;
    // All of a line, but for the name of a tool or a number before it.
    if ((first === 0 || first === 1) && isBehind.slice(first + 1).every(Boolean))
      yield around(words.slice(first));
    for (let end = RUN_WORDS; end <= words.length; end += 1)
      if (has(end - RUN_WORDS, end)) yield around(words.slice(end - RUN_WORDS, end));
    for (const { span } of words) yield* this.#alone(line, span);
  }

  /** Words of a line that stand behind each other here, too. @param isWhole false when both its ends may be cut */
  #has(words: readonly Word[], start: number, end: number, isWhole: boolean): boolean {
    const key = keyOf(words.slice(start, end));
    if (this.#behind.has(key)) return true;
    if (isWhole || (start > 0 && end < words.length)) return false;
    return this.#words.includes(
      `${start === 0 ? '' : ' '}${key}${end === words.length ? '' : ' '}`,
    );
  }

  /** A piece that is no ordinary word, parts of one, and what is left of one that was cut. */
  *#alone(line: string, [start, end]: Span): Generator<Span> {
    const piece = line.slice(start, end);
    const isCut = line.startsWith(CUT, end) || line.endsWith(CUT, start);
    if (
      this.#isIts(piece, CHARS_MIN) ||
      (isCut && this.#isCutFrom(piece, line.startsWith(CUT, end)))
    )
      return yield [start, end];
    for (const { 0: part, index } of piece.matchAll(INNER))
      if (this.#isIts(part, DIGITS_MIN)) yield [start + index, start + index + part.length];
  }

  #isIts(piece: string, digitsMin: number): boolean {
    if (piece.length < (NUMBER.test(piece) ? digitsMin : CHARS_MIN)) return false;
    if (ORDINARY.test(piece) && !this.#names.has(piece)) return false;
    return this.#text.includes(piece.toLowerCase()) && !this.#isOurs(piece);
  }

  #isCutFrom(piece: string, isStart: boolean): boolean {
    if (piece.length < CHARS_MIN) return false;
    const text = piece.toLowerCase();
    const wanted = isStart ? ` ${text}` : `${text} `;
    for (const [start, end] of placesOf(this.#words, wanted)) {
      const word = isStart
        ? this.#words.slice(start + 1, this.#words.indexOf(' ', end))
        : this.#words.slice(this.#words.lastIndexOf(' ', start - 1) + 1, end - 1);
      if (!ORDINARY.test(word)) return true;
    }
    return false;
  }

  #isOurs(piece: string): boolean {
    const text = piece.toLowerCase();
    return this.#stays.some((one) => one === text || `${one}/`.includes(`/${text}/`));
  }
}

const keyOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');
const around = (words: readonly Word[]): Span => [words[0]!.span[0], words.at(-1)!.span[1]];

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => {
    const before = /^[\p{P}\p{S}]+/u.exec(token)?.[0].length ?? 0;
    const kept = token.replace(EDGES, '');
    const start = index + before;
    return { span: [start, start + kept.length] as const, text: kept.toLowerCase() };
  }).filter(({ text }) => text !== '');
}

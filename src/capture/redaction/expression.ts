import { groupAt, groupCount, runProgram } from './machine.ts';
import { programFor } from './programs-here.ts';

/** What rules need of a regular expression. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** Of global and sticky ones, where the next search begins. */
  lastIndex: number;
  exec(text: string): RegExpExecArray | null;
  test(text: string): boolean;
}

/** A process that has searched so many characters with an expression does well to have V8 compile it. */
const MACHINE_CHARS_MAX = 64 * 1024;

/** What a question counts at most: of a long text only a part is searched. */
const ASKED_CHARS = 1024;

/** A regular expression, of which V8 makes nothing before it is used, and in a hook nothing at all where it is used seldom. */
class Expression implements Pattern {
  lastIndex = 0;
  readonly source: string;
  readonly flags: string;
  readonly #isSticky: boolean;
  readonly #isNext: boolean;
  #native: RegExp | undefined;
  #program: string | undefined;
  #chars = 0;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
    this.#isSticky = flags.includes('y');
    this.#isNext = this.#isSticky || flags.includes('g');
  }

  exec(text: string): RegExpExecArray | null {
    const at = this.#find(text);
    if (at === undefined) return this.#asNative((native) => native.exec(text));
    if (at < 0) return null;
    const match: (string | undefined)[] = [];
    for (let group = 0; group <= groupCount(); group += 1) {
      const span = groupAt(group);
      match.push(span && text.slice(span.start, span.end));
    }
    return Object.assign(match, { index: at, input: text }) as RegExpExecArray;
  }

  test(text: string): boolean {
    const at = this.#find(text);
    return at === undefined ? this.#asNative((native) => native.test(text)) : at >= 0;
  }

  /** Where the next match begins, -1 where none does; undefined where V8 has to say. */
  #find(text: string): number | undefined {
    if (this.#native !== undefined) return undefined;
    this.#program ??= programFor(this.source, this.flags);
    this.#chars += Math.min(text.length, ASKED_CHARS);
    if (this.#program === '' || this.#chars > MACHINE_CHARS_MAX) return undefined;
    const from = this.#isNext ? this.lastIndex : 0;
    const at = runProgram(this.#program, text, from, this.#isSticky);
    if (this.#isNext && at !== undefined) this.lastIndex = at < 0 ? 0 : (groupAt(0)?.end ?? 0);
    return at;
  }

  #asNative<T>(ask: (native: RegExp) => T): T {
    this.#native ??= new RegExp(this.source, this.flags);
    this.#native.lastIndex = this.lastIndex;
    const answer = ask(this.#native);
    this.lastIndex = this.#native.lastIndex;
    return answer;
  }
}

/**
 * One that V8 would take long to compile; a small one is a `RegExp` like any other. Made once, when the module is loaded: the build
 * makes a program of what is made so.
 */
export const expression = (source: string, flags = ''): Pattern => new Expression(source, flags);

/** All matches of a global one, from the text's beginning. */
export function* matchesOf(pattern: Pattern, text: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '') pattern.lastIndex += 1;
    yield match;
  }
}

import { groupAt, groupCount, runProgram } from './machine.ts';
import { PROGRAMS } from './programs-here.ts';

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
  #native: RegExp | undefined;
  #program: string | undefined;
  #chars = 0;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
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
    const program = this.#programOf(text);
    if (program === '') return undefined;
    const isSticky = this.flags.includes('y');
    const isNext = isSticky || this.flags.includes('g');
    const at = runProgram(program, text, isNext ? this.lastIndex : 0, isSticky);
    if (isNext && at !== undefined) this.lastIndex = at < 0 ? 0 : (groupAt(0)?.end ?? 0);
    return at;
  }

  /** Empty where it has none, or has searched enough for V8 to be worth it. */
  #programOf(text: string): string {
    this.#program ??= this.#written();
    this.#chars += Math.min(text.length, ASKED_CHARS);
    if (this.#chars > MACHINE_CHARS_MAX) this.#program = '';
    return this.#program;
  }

  /** Its line in one of the texts of programs: the expression is the line before. */
  #written(): string {
    const line = `\n${this.flags}/${this.source}\n`;
    for (const programs of PROGRAMS) {
      const all = programs();
      const at = all.indexOf(line);
      if (at >= 0) return all.slice(at + line.length, all.indexOf('\n', at + line.length));
    }
    return '';
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
 * @param source as `RegExp` takes it: made once, when the module is loaded, for the build makes a program of what is made so
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

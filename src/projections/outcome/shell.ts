/** One simple command of a shell's line. */
export interface Step {
  /** Without quotes, redirections and leading keywords. */
  words: string[];
  /** What joins it to the next one. */
  joint: '' | ';' | '&&' | '||' | '|' | '&';
  /** How many subshells it is in. */
  depth: number;
}

const CHARS_MAX = 20_000;
const STEPS_MAX = 200;
/** Substitutions in substitutions. */
const NESTING_MAX = 4;
/** Words of the shell's grammar that stand before a command. */
const KEYWORD = /^(?:if|then|else|elif|fi|do|done|while|until|case|esac|!|\{|\})$/;
const OPERATOR = /&&|\|\||;;|\|&|[;|&\n()]/y;
const REDIRECT = /(?:&>>?|[<>]{1,3}[&|]?)/y;
const PLAIN = /[^\s\\'"`$#;|&()<>]+/y;
const HEREDOC = /<<-?[ \t]*(['"]?)([\w.-]+)\1/y;

/** Splits a shell's line into its steps: quotes, substitutions, here-documents and comments are known, expansions are not made. */
export function stepsOf(command: string): Step[] {
  return new Splitter(command.slice(0, CHARS_MAX)).steps();
}

class Splitter {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #word = '';
  /** Also an empty quoted word is one. */
  #hasWord = false;
  #isTarget = false;
  #words: string[] = [];
  #ends: string[] = [];
  readonly #steps: Step[] = [];

  readonly #nesting: number;

  constructor(text: string, nesting = 0) {
    this.#text = text;
    this.#nesting = nesting;
  }

  steps(): Step[] {
    while (this.#at < this.#text.length && this.#steps.length < STEPS_MAX) this.#next();
    this.#endStep('');
    const last = this.#steps.at(-1);
    if (last?.joint === ';') last.joint = '';
    return this.#steps;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #next(): void {
    const [plain] = this.#match(PLAIN) ?? [];
    const document = this.#match(HEREDOC);
    const [redirect] = this.#match(REDIRECT) ?? [];
    const [operator] = this.#match(OPERATOR) ?? [];
    if (plain !== undefined) this.#take(plain, plain.length);
    else if (document !== null) {
      this.#endWord();
      this.#ends.push(document[2]!);
      this.#at += document[0].length;
    } else if (redirect !== undefined) this.#redirect(redirect);
    else if (operator !== undefined) this.#operate(operator);
    else this.#special(this.#text[this.#at]!, this.#text[this.#at + 1] ?? '');
  }

  #special(char: string, next: string): void {
    if (char === '\\') this.#take(next === '\n' ? '' : next, 2);
    else if (char === "'") this.#quoted(this.#text.indexOf("'", this.#at + 1));
    else if (char === '"') this.#quoted(this.#closing('"'));
    else if (char === '`') this.#substitution(this.#text.indexOf('`', this.#at + 1));
    else if (char === '$' && next === '(') this.#substitution(this.#behindParens(this.#at + 1));
    else if (char === '#' && !this.#hasWord)
      this.#at = this.#endOr(this.#text.indexOf('\n', this.#at));
    else if (/\s/.test(char)) {
      this.#endWord();
      this.#at += 1;
    } else this.#take(char, 1);
  }

  #endOr(at: number): number {
    return at === -1 ? this.#text.length : at;
  }

  #take(text: string, length: number): void {
    this.#word += text;
    this.#hasWord = true;
    this.#at += length;
  }

  #substitution(end: number): void {
    this.#pipeIn(this.#at + (this.#text[this.#at] === '$' ? 2 : 1), this.#endOr(end));
    this.#take('$(…)', this.#endOr(end) + 1 - this.#at);
  }

  /** What a substitution prints goes into the command around it, as through a pipe. */
  #pipeIn(from: number, to: number): void {
    if (this.#nesting >= NESTING_MAX) return;
    const steps = new Splitter(this.#text.slice(from, to), this.#nesting + 1).steps();
    for (const step of steps) step.depth += this.#depth + 1;
    const last = steps.at(-1);
    if (last !== undefined) last.joint = '|';
    this.#steps.push(...steps);
  }

  #quoted(end: number): void {
    const to = this.#endOr(end);
    this.#take(this.#text.slice(this.#at + 1, to), to + 1 - this.#at);
  }

  /** Where a double quote ends; quotes in its substitutions are not its own. */
  #closing(quote: string): number {
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === quote) return at;
      if (char === '\\') at += 1;
      else if (char === '$' && this.#text[at + 1] === '(') {
        const end = this.#behindParens(at + 1);
        if (end === -1) return -1;
        this.#pipeIn(at + 2, end);
        at = end;
      }
    }
    return -1;
  }

  #behindParens(from: number): number {
    let open = 0;
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text[at] === '(') open += 1;
      else if (this.#text[at] === ')') open -= 1;
      if (open === 0) return at;
    }
    return -1;
  }

  #redirect(operator: string): void {
    if (/^\d$/.test(this.#word)) this.#drop();
    this.#endWord();
    this.#at += operator.length;
    this.#isTarget = true;
  }

  #drop(): void {
    this.#word = '';
    this.#hasWord = false;
  }

  #endWord(): void {
    if (!this.#hasWord) return;
    if (this.#isTarget) this.#isTarget = false;
    else if (this.#words.length > 0 || !KEYWORD.test(this.#word)) this.#words.push(this.#word);
    this.#drop();
  }

  #operate(operator: string): void {
    this.#at += operator.length;
    if (operator === '(') {
      this.#endStep(';');
      this.#depth += 1;
    } else if (operator === ')') {
      this.#endStep('');
      this.#depth = Math.max(0, this.#depth - 1);
    } else if (operator === '\n' || operator === ';;') this.#endStep(';');
    else this.#endStep(operator === '|&' ? '|' : (operator as Step['joint']));
    if (operator === '\n') this.#skipDocuments();
  }

  #endStep(joint: Step['joint']): void {
    this.#endWord();
    this.#isTarget = false;
    const last = this.#steps.at(-1);
    if (this.#words.length > 0) this.#steps.push({ words: this.#words, joint, depth: this.#depth });
    else if (last !== undefined && joint !== '' && (last.joint === '' || joint !== ';'))
      last.joint = joint;
    this.#words = [];
  }

  #skipDocuments(): void {
    for (const end of this.#ends.splice(0)) {
      let line = '';
      do {
        const to = this.#endOr(this.#text.indexOf('\n', this.#at));
        line = this.#text.slice(this.#at, to);
        this.#at = to + 1;
      } while (line.trim() !== end && this.#at < this.#text.length);
    }
  }
}

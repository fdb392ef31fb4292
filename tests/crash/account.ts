/** What the parent knows, which cannot die with a writer: what was attempted, and what of it was acknowledged. */
export interface Account {
  /** Digest of each event's payload, by `writer:number`. */
  attempted: Map<string, string>;
  acknowledged: Set<string>;
  /** Of these, what nobody has looked for in the journal, or found there, since they were acknowledged. */
  unseen: Set<string>;
  /** What somebody began to erase: it is whole, or nothing of it is left. */
  erasing: Set<string>;
}

export const newAccount = (): Account => ({
  attempted: new Map(),
  acknowledged: new Set(),
  unseen: new Set(),
  erasing: new Set(),
});

/** What a process says while it writes, line by line, taken into the account. See `appendAloud`. */
export class Told {
  readonly #name: string;
  readonly #account: Account;
  readonly #waiting = new Map<string, { lines: number; then: () => void }>();
  #rest = '';
  /** True between what it said it would append and its acknowledgement. */
  isAppending = false;

  constructor(name: string, account: Account) {
    this.#name = name;
    this.#account = account;
  }

  /** Calls back once, at the next line that begins with this word, or the so manieth. */
  once(word: string, then: () => void, lines = 1): void {
    this.#waiting.set(word, { lines, then });
  }

  hear(data: string): void {
    const lines = (this.#rest + data).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    const [word = '', number, digest] = line.split(' ');
    const key = `${this.#name}:${number}`;
    if (word === 'intent') this.#account.attempted.set(key, digest!);
    if (word === 'erasing') this.#account.erasing.add(key);
    if (word === 'ack') {
      this.#account.acknowledged.add(key);
      this.#account.unseen.add(key);
    }
    if (word === 'intent' || word === 'ack') this.isAppending = word === 'intent';
    const waiting = this.#waiting.get(word);
    if (waiting === undefined) return;
    waiting.lines -= 1;
    if (waiting.lines > 0) return;
    this.#waiting.delete(word);
    waiting.then();
  }
}

/**
 * The results that the client prints, one JSON object a line, at the end of each turn.
 */

/** As far as tests read it. */
export interface TurnResult {
  type: 'result';
  subtype: string;
  is_error: boolean;
  result?: string;
  session_id: string;
  num_turns: number;
}

export class TurnResults {
  readonly all: TurnResult[] = [];
  private waiting: (() => void)[] = [];
  private ended = false;

  /** Takes one line of the client's stdout; lines of other kinds are passed over. */
  readLine(line: string): void {
    if (!line.startsWith('{')) return;
    const value = JSON.parse(line) as { type?: string };
    if (value.type !== 'result') return;
    this.all.push(value as TurnResult);
    this.wake();
  }

  /** No more lines will come. */
  end(): void {
    this.ended = true;
    this.wake();
  }

  /** The result of turn `number` (1 is the first), when it is there. Rejected when none will come. */
  async nth(number: number): Promise<TurnResult> {
    for (;;) {
      const result = this.all[number - 1];
      if (result !== undefined) return result;
      if (this.ended) throw new Error(`The client exited before the end of turn ${number}`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  private wake(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }
}

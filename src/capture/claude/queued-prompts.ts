import { isObject, type Json, text } from '../json.ts';
import { typedText } from './typed-text.ts';

const QUEUED_MAX = 100;

/**
 * What the user typed while the model worked. Clients of 2.1 up to about 2.1.39 record only that it was queued, and a bare `remove` once
 * the model has it; later ones record the delivery, and say in the `remove` what it was.
 */
export class QueuedPrompts {
  #waiting: string[] = [];
  readonly #earlier: () => Iterable<Json | undefined>;
  #isEarlierRead = false;

  /** @param earlier records of earlier readings, read when something is taken that this reading did not see queued */
  constructor(earlier: () => Iterable<Json | undefined> = () => []) {
    this.#earlier = earlier;
  }

  /** Call for every record. @returns the prompt that the model has from now on, if nothing else records it */
  follow(record: Json): string | undefined {
    if (record.type !== 'queue-operation') this.#delivered(record);
    else if (record.operation === 'enqueue') this.#enqueue(text(record.content) ?? '');
    else if (record.operation === 'popAll') this.#waiting = [];
    else if (record.operation === 'remove' && record.content === undefined) return this.#next();
    return undefined;
  }

  /** Slash commands have records of their own. */
  #enqueue(content: string): void {
    const typed = typedText(content);
    if (typed === '' || typed.startsWith('/')) return;
    this.#waiting = [...this.#waiting, typed].slice(-QUEUED_MAX);
  }

  #next(): string | undefined {
    if (this.#waiting.length > 0) return this.#waiting.shift();
    if (this.#isEarlierRead) return undefined;
    this.#isEarlierRead = true;
    for (const record of this.#earlier()) if (record !== undefined) this.follow(record);
    return this.#waiting.shift();
  }

  #delivered({ type, message, attachment }: Json): void {
    if (this.#waiting.length === 0) return;
    const said = type === 'user' ? message : type === 'attachment' ? attachment : undefined;
    if (!isObject(said)) return;
    const at = this.#waiting.indexOf(typedText(said.content ?? said.prompt));
    if (at !== -1) this.#waiting.splice(at, 1);
  }
}

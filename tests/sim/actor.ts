import { once } from 'node:events';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';

/** A call of the simulated machine, by its name there. */
export interface Asked {
  call: string;
  args: unknown[];
}

export type Answer =
  | { value: unknown }
  | { failed: { message: string; code?: string | undefined } }
  | 'killed';

/** What a thread is handed when it is made. */
interface Handed {
  port: MessagePort;
  /** Raised by the thread when it asks, and by the other side when it answers. */
  bells: SharedArrayBuffer;
  /** The machine's clock, milliseconds since the epoch. */
  clock: SharedArrayBuffer;
}

const ASKS = 0;
const ANSWERS = 1;
/** The bell may be heard before what it rings for. */
const LISTEN_MS = 5;

/** A thread in the place of a process: it stands still at each of its calls until it is answered. */
export class Actor {
  readonly #port: MessagePort;
  readonly #bells: Int32Array;
  readonly #worker: Worker;
  /** What it wants to do next. */
  asked!: Asked;

  /** @param program what the thread runs: `inThread` is to be called there */
  constructor(program: string, clock: SharedArrayBuffer) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const bells = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
    this.#bells = new Int32Array(bells);
    const workerData: Handed = { port: port2, bells, clock };
    this.#worker = new Worker(program, { workerData, transferList: [port2] });
  }

  async start(): Promise<void> {
    await once(this.#worker, 'online');
    this.#listen();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Comes back when it asks for its next call: nobody else does anything meanwhile. */
  answer(answer: Answer): void {
    this.#port.postMessage(answer);
    Atomics.add(this.#bells, ANSWERS, 1);
    Atomics.notify(this.#bells, ANSWERS);
    this.#listen();
  }

  #listen(): void {
    this.asked = hear(this.#port, this.#bells, ASKS) as Asked;
  }
}

/** Waits for what the other side posts. */
function hear(port: MessagePort, bells: Int32Array, bell: number): unknown {
  for (;;) {
    const heard = Atomics.load(bells, bell);
    const got = receiveMessageOnPort(port);
    if (got !== undefined) return got.message;
    Atomics.wait(bells, bell, heard, LISTEN_MS);
  }
}

/** The thread's side. */
export interface Stage {
  /** Waits for its turn. */
  ask(call: string, ...args: unknown[]): Answer;
  now(): number;
}

export function inThread(workerData: unknown): Stage {
  const { port, bells: shared, clock } = workerData as Handed;
  const bells = new Int32Array(shared);
  const time = new Float64Array(clock);
  return {
    ask(call, ...args) {
      port.postMessage({ call, args } satisfies Asked);
      Atomics.add(bells, ASKS, 1);
      Atomics.notify(bells, ASKS);
      return hear(port, bells, ANSWERS) as Answer;
    },
    now: () => Math.floor(time[0]!),
  };
}

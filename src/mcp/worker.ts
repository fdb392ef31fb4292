import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { WORK } from '../hook/work.ts';
import { Ben10Error, type ErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Ask } from './asking.ts';
import type { ServerContext, ServerFacts } from './context.ts';
import type { Question, ReplyTo } from './questions.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** What a worker is sent: first of all `open`, last of all `end`. */
export type ToWorker =
  | { open: { dir: string; settings: Settings; version: string } }
  | { id: number; question: Question; facts: ServerFacts; canAsk: boolean }
  /** What the user said to a question of the call of that id. */
  | { id: number; said: Awaited<ReturnType<Ask>> }
  | { end: true };

/** What a worker sends. */
export type FromWorker =
  | { id: number; reply: unknown }
  | { id: number; failed: Failure }
  | { id: number; asks: string }
  /** It wants to end: nobody asked for long. */
  | { retires: true };

/** An error, as far as another process has to know it. */
export interface Failure {
  code?: ErrorCode;
  message: string;
  next?: string;
}

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
  ask: Ask | undefined;
  /** Of what the user is being asked. */
  open?: AbortController | undefined;
}

interface Running {
  child: ChildProcess;
  waiting: Map<number, Waiting>;
}

export interface WorkerOptions {
  dir: string;
  settings: Settings;
  log: Logger;
  /** Of the server, at each question. */
  facts(): ServerFacts;
}

/** What is ready when the journal is. */
export interface Opened {
  context: ServerContext;
  worker: Worker;
}

/**
 * Answers what is asked of the journal, in a process of its own: however much it has to read, the server hears the next hook at
 * once; what kills it does not end the recording; and what it read of events that are erased goes with it. It is started at the first
 * question, and ends when the server does.
 */
export class Worker {
  readonly #options: WorkerOptions;
  #running: Running | undefined;
  /** Those that end as well. */
  readonly #alive = new Set<ChildProcess>();
  #lastId = 0;
  #isStopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * @param ask puts a question to the user; absent where the client cannot
   * @throws Ben10Error as the question's answer does; MCP_TOOL_ERROR when the process ends before it answers
   */
  ask<Q extends Question>(question: Q, ask?: Ask): Promise<ReplyTo<Q>> {
    if (this.#isStopped) return Promise.reject(endedEarly('the server ends'));
    this.#running ??= this.#start();
    const { child, waiting } = this.#running;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const facts = this.#options.facts();
      tell(child, { id, question, facts, canAsk: ask !== undefined });
      // Who closes stdin behind a question still gets its answer.
      hold(child);
      waiting.set(id, { resolve: (reply) => resolve(reply as ReplyTo<Q>), reject, ask });
    });
  }

  /** Has the process end, once it has answered; who asks from here on asks another one. */
  retire(): void {
    const { child } = this.#running ?? {};
    this.#running = undefined;
    if (child !== undefined) tell(child, { end: true });
  }

  /** Answers that are not there yet are not waited for. */
  stop(): void {
    this.#isStopped = true;
    for (const child of this.#alive) {
      letGo(child);
      if (child.connected) child.disconnect();
    }
  }

  #start(): Running {
    const { dir, settings, log } = this.#options;
    const child = fork(path.join(__dirname, 'ben10.cjs'), [WORK], {
      // stdout is the protocol's.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: process.execArgv,
    });
    const running: Running = { child, waiting: new Map() };
    this.#alive.add(child);
    const ended = (why: string) => {
      this.#alive.delete(child);
      letGo(child);
      if (this.#running === running) this.#running = undefined;
      for (const { reject, open } of running.waiting.values()) {
        reject(endedEarly(why));
        open?.abort('the process that asked has ended');
      }
      running.waiting.clear();
    };
    child.on('message', (message: FromWorker) => this.#heard(running, message));
    child.on('error', (error) => ended(error.message));
    // Its last words may come behind its end.
    const gone = () => {
      const how = child.exitCode ?? child.signalCode;
      if (how === null || child.connected) return;
      const isMissed = running.waiting.size > 0;
      log[isMissed ? 'warn' : 'debug'](`the process that reads ended with ${how}`);
      ended(`it ended with ${how}`);
    };
    child.on('exit', gone);
    child.on('disconnect', gone);
    // The server ends when its client goes.
    letGo(child);
    log.debug(`what is asked of the journal is read by process ${child.pid}`);
    tell(child, { open: { dir, settings, version: VERSION } });
    return running;
  }

  #heard(running: Running, message: FromWorker): void {
    if ('retires' in message) {
      if (this.#running === running) this.retire();
      return;
    }
    const { id } = message;
    const waiting = running.waiting.get(id);
    if (waiting === undefined) return;
    if ('asks' in message) {
      const open = new AbortController();
      waiting.open = open;
      void waiting.ask?.(message.asks, open.signal).then((said) => {
        waiting.open = undefined;
        tell(running.child, { id, said });
      });
      return;
    }
    running.waiting.delete(id);
    if (running.waiting.size === 0) letGo(running.child);
    if ('failed' in message) waiting.reject(errorOf(message.failed));
    else waiting.resolve(message.reply);
  }
}

/** The server lives on for its answer, and for the news of its end. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** One that has gone says so by its end. */
function tell(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => {});
}

const errorOf = ({ code, message, next }: Failure): Error =>
  code === undefined ? new Error(message) : new Ben10Error(code, message, next ? { next } : {});

const endedEarly = (why: string): Ben10Error =>
  new Ben10Error('MCP_TOOL_ERROR', `the process that reads the journal could not answer: ${why}`, {
    next: 'Ask again: another one is started. If it ends again, see the server log.',
  });

import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { WORK } from '../hook/work.ts';
import { Ben10Error, type ErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { VERSION } from '../platform/version.ts';
import type { Ask } from './asking.ts';
import type { ServerContext, ServerFacts } from './context.ts';
import type { MidTurn } from './mid-turn.ts';
import type { Question, ReplyTo } from './questions.ts';
import type { Settings } from './settings.ts';

/** Messages to a worker: first `open`, last `end`. */
export type ToWorker =
  | { open: { dir: string; settings: Settings; version: string } }
  | { id: number; question: Question; facts: ServerFacts; canAsk: boolean }
  /** The user's reply to a question of that call. */
  | { id: number; said: Awaited<ReturnType<Ask>> }
  | { end: true };

export type FromWorker =
  | { id: number; reply: unknown }
  | { id: number; failed: Failure }
  | { id: number; asks: string }
  /** It has been idle for long, and wants to end. */
  | { retires: true };

/** An error as plain data. */
export interface Failure {
  code?: ErrorCode;
  message: string;
  next?: string;
}

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
  ask: Ask | undefined;
  /** Cancels the question to the user. */
  open?: AbortController | undefined;
}

interface Running {
  child: ChildProcess;
  waiting: Map<number, Waiting>;
}

interface WorkerOptions {
  dir: string;
  settings: Settings;
  log: Logger;
  facts(): ServerFacts;
}

export interface Opened {
  context: ServerContext;
  worker: Worker;
  midTurn: MidTurn;
}

/**
 * Answers questions about the journal in a separate process, so that slow reading does not delay hooks, a crash does not end the
 * recording, and erased text leaves memory with the process. Started at the first question.
 */
export class Worker {
  readonly #options: WorkerOptions;
  #running: Running | undefined;
  /** Including those that are ending. */
  readonly #alive = new Set<ChildProcess>();
  #lastId = 0;
  #isStopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * @param ask absent if the client cannot ask its user
   * @throws Ben10Error of the answer; MCP_TOOL_ERROR if the process ends first
   */
  ask<Q extends Question>(question: Q, ask?: Ask): Promise<ReplyTo<Q>> {
    if (this.#isStopped) return Promise.reject(endedEarly('the server is ending'));
    this.#running ??= this.#start();
    const { child, waiting } = this.#running;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const facts = this.#options.facts();
      tell(child, { id, question, facts, canAsk: ask !== undefined });
      // If the client closes stdin now, it still gets the answer.
      hold(child);
      waiting.set(id, { resolve: (reply) => resolve(reply as ReplyTo<Q>), reject, ask });
    });
  }

  /** Lets the process end after its answers; later questions go to a new one. */
  retire(): void {
    const { child } = this.#running ?? {};
    this.#running = undefined;
    if (child !== undefined) tell(child, { end: true });
  }

  /** Does not wait for open answers. */
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
    // Its last messages may arrive after its exit.
    const gone = () => {
      const how = child.exitCode ?? child.signalCode;
      if (how === null || child.connected) return;
      const isMissed = running.waiting.size > 0;
      log[isMissed ? 'warn' : 'debug'](`the worker process ended with ${how}`);
      ended(`it ended with ${how}`);
    };
    child.on('exit', gone);
    child.on('disconnect', gone);
    // The process must not keep the server alive.
    letGo(child);
    log.debug(`worker process ${child.pid} started`);
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

/** Keeps the server alive until the answer. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function tell(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => {});
}

const errorOf = ({ code, message, next }: Failure): Error =>
  code === undefined ? new Error(message) : new Ben10Error(code, message, next ? { next } : {});

const endedEarly = (why: string): Ben10Error =>
  new Ben10Error('MCP_TOOL_ERROR', `the worker process could not answer: ${why}`, {
    next: 'Try again: a new one is started. If it fails again, see the server log.',
  });

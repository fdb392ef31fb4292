import * as f from '../fields.ts';

/** A loop's name: 16 hex digits; all its events share it. */
const loop = f.name;
const limits = f.object({
  /** Iterations. */
  max: f.number,
  /** Equal trees, or the same failure, in a row. */
  stall: f.number,
  /** What the client must say, in `<promise>…</promise>`. */
  until: f.optional(f.words),
  /** Shell commands that must pass before the promise is believed. */
  checks: f.list(f.words),
  budgetUsd: f.optional(f.number),
  budgetTokens: f.optional(f.number),
  minutes: f.optional(f.number),
});

/** One task in many sessions, one after the other, unattended. */
export const LOOP = {
  'loop.started': f.event('disk', 'A loop was started.', {
    loop,
    worktree: f.words,
    /** The user's file, relative to the worktree; each iteration reads it anew. */
    file: f.optional(f.words),
    /** The task as it was given, where it is no file. */
    text: f.optional(f.text),
    limits,
    /** The client's program and arguments. */
    client: f.list(f.words),
    /** `claude` is called as we know it; another command gets only the prompt on stdin. */
    kind: f.oneOf('claude', 'command'),
  }),
  'loop.resumed': f.event('disk', 'A loop went on.', { loop, limits }),
  /** Recorded before its client exists. */
  'loop.iteration-started': f.event('disk', 'An iteration of a loop was started.', {
    loop,
    /** From 1. */
    n: f.number,
    /** Made by the loop, where the client takes one. */
    session: f.optional(f.name),
    /** The checkpoint whose handoff it goes on from. */
    handoffIn: f.optional(f.name),
    /** Of the working tree before it, git's hash. */
    tree: f.optional(f.name),
  }),
  /** Recorded before the client runs: who comes later can tell whether it still does. */
  'loop.child-started': f.quiet('disk', 'The client of an iteration was started.', {
    loop,
    n: f.number,
    pid: f.number,
    /** As the system tells it, so that a pid used again is no child. */
    started: f.words,
  }),
  'loop.iteration-finished': f.event('disk', 'An iteration of a loop ended.', {
    loop,
    n: f.number,
    session: f.optional(f.name),
    /** `rate-limit` and `interrupted` say nothing about the task. */
    outcome: f.oneOf('turn-end', 'checkpoint', 'client-error', 'rate-limit', 'interrupted'),
    exit: f.optional(f.number),
    /** How long its client ran, by a clock that nobody sets. */
    minutes: f.optional(f.number),
    isPromised: f.flag,
    checks: f.list(
      f.object({
        command: f.words,
        isPassed: f.flag,
        /** The line that says what failed. */
        failure: f.optional(f.words),
      }),
    ),
    /** The fullest that its context was, in percent of the window. */
    peak: f.optional(f.number),
    tokens: f.optional(f.number),
    costUsd: f.optional(f.number),
    tree: f.optional(f.name),
    todos: f.optional(f.object({ done: f.number, all: f.number })),
    handoffOut: f.optional(f.name),
  }),
  'loop.stopped': f.event('disk', 'A loop ended.', {
    loop,
    reason: f.oneOf(
      'complete',
      'max',
      'budget',
      'minutes',
      'stall',
      'client-error',
      'stopped',
      'worktree-lost',
      'task-lost',
    ),
  }),
};

type Data<T extends keyof typeof LOOP> = f.EventDataOf<(typeof LOOP)[T]>;
export type LoopStarted = Data<'loop.started'>;
export type LoopResumed = Data<'loop.resumed'>;
export type IterationStarted = Data<'loop.iteration-started'>;
export type LoopChildStarted = Data<'loop.child-started'>;
export type IterationFinished = Data<'loop.iteration-finished'>;
export type LoopStopped = Data<'loop.stopped'>;
export type LoopLimits = f.TypeOf<typeof limits>;

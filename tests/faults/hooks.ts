import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { decodeEnvelope } from '../../src/journal/format/envelope.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { Chance } from '../damage/chance.ts';
import { type HookRun, runHook } from '../hook/run-hook.ts';
import { decoders, realPorts } from '../ports.ts';
import { FAULTS, type Fault, type Plan } from './faulty-fs.ts';
import { HooksHere } from './hook-here.ts';
import { type HookEvent, HookProject } from './hook-project.ts';
import { newEvent } from './workloads.ts';

const PRELOADED = path.resolve(import.meta.dirname, 'faulty-node-fs.cjs');

export interface HookTally {
  runs: number;
  /** Hooks that said that they did not record their event. */
  complained: number;
  violations: string[];
}

/** What a process did until it ended. */
export interface HookReport {
  /** Names of the calls that the fault is about, in their order. */
  calls: string[];
  failed: number;
}

/** Which of a hook's calls, of those that the fault is about, counted from 1. */
export type Choice = (calls: readonly string[]) => number[];

export const everyCall: Choice = (calls) => calls.map((_, index) => index + 1);

/** One of each name, another one with each seed. */
export function oneOfEachName(seed: number): Choice {
  const chance = new Chance(seed);
  return (calls) =>
    [...new Set(calls)].map((name) => {
      const places = calls.flatMap((one, index) => (one === name ? [index + 1] : []));
      return places[chance.below(places.length)]!;
    });
}

/** One hook of a project, as it was put back, under a plan. */
export type Runner = (hook: HookEvent, plan: Plan) => Promise<Ran> | Ran;
export interface Ran {
  hook: HookRun;
  report: HookReport;
}

export interface Injection {
  faults?: readonly Fault[];
  events?: readonly string[];
  /** Which calls fail once, and which fail and all behind them. */
  once: Choice;
  fromThenOn: Choice;
}

/** Real hook processes, each with calls of the file system that fail. */
export const injectIntoHooks = (tally: HookTally, injection: Injection): Promise<void> =>
  injectAll(tally, injection, new HookProject(tmpdir()), processOf);

/** The same hooks one after the other in this process, which is a tenth of the work. */
export const injectIntoHooksHere = (tally: HookTally, injection: Injection): Promise<void> =>
  injectAll(tally, injection, new HookProject(MEMORY), (project) => {
    const here = new HooksHere(project);
    return (hook, plan) => here.run(hook, plan);
  });

/** What a fault leaves depends on no disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const processOf =
  (project: HookProject): Runner =>
  async ({ event, input }, plan) => {
    const env = {
      NODE_OPTIONS: `--require ${PRELOADED}`,
      BEN10_FAULT: JSON.stringify({ ...plan, report: project.report }),
    };
    const hook = await runHook(project.dir, event, input, env, project.dist);
    const report = existsSync(project.report)
      ? (JSON.parse(readFileSync(project.report, 'utf8')) as HookReport)
      : { calls: [], failed: 0 };
    return { hook, report };
  };

async function injectAll(
  tally: HookTally,
  injection: Injection,
  project: HookProject,
  runnerOf: (project: HookProject) => Runner,
): Promise<void> {
  const { faults = FAULTS, events } = injection;
  try {
    for (const before of project.before()) await runClean(project, before);
    project.remember();
    const run = runnerOf(project);
    for (const hook of project.events().filter(({ event }) => events?.includes(event) ?? true)) {
      project.putBack();
      const before = recorded(project);
      const expected = await expectedOf(project, hook, before.length);
      const scene = { project, hook, run, before: countsOf(before), expected };
      for (const fault of faults) await injectInto(scene, fault, injection, tally);
    }
  } finally {
    project.remove();
  }
}

/** A hook of a project, how it is run, and what is known of both. */
interface Scene {
  project: HookProject;
  hook: HookEvent;
  run: Runner;
  /** What is recorded before it, and what it records itself. */
  before: ReadonlyMap<string, number>;
  expected: readonly string[];
}

async function injectInto(
  scene: Scene,
  fault: Fault,
  { once, fromThenOn }: Injection,
  tally: HookTally,
): Promise<void> {
  const calls = await callsOf(scene, fault);
  const plans = [
    ...once(calls).map((call): Plan => ({ fault, call, how: 'once' })),
    ...fromThenOn(calls).map((call): Plan => ({ fault, call, how: 'from then on' })),
  ];
  for (const plan of plans) {
    const name = calls[plan.call - 1]!;
    let { call } = plan;
    let told = await judged(scene, plan, tally);
    // One that has less time than before looks at less, and does not come so far.
    for (let again = 1; again < RUNS_MAX && told.includes(NOT_REACHED); again += 1) {
      call = Math.min(call, (await callsOf(scene, fault)).lastIndexOf(name) + 1);
      told = await judged(scene, { ...plan, call }, tally);
    }
    const place = `${scene.hook.event}: ${fault} at ${name} (call ${call}), ${plan.how}`;
    tally.violations.push(...told.map((one) => `${place}: ${one}`));
  }
}

const NOT_REACHED = 'nothing failed';
/** Of a fault that a hook does not come to. */
const RUNS_MAX = 4;

/** Those of the shortest of some runs: one that takes a second syncs once more, which the next one may have no reason for. */
async function callsOf({ project, hook, run }: Scene, fault: Fault): Promise<string[]> {
  const counted: string[][] = [];
  for (let time = 0; time < 3; time += 1) {
    project.putBack();
    counted.push((await run(hook, { fault, call: 0, how: 'once' })).report.calls);
  }
  return counted.reduce((least, calls) => (calls.length < least.length ? calls : least));
}

async function runClean(project: HookProject, { event, input }: HookEvent): Promise<void> {
  const { code, stderr } = await runHook(project.dir, event, input, {}, project.dist);
  if (code !== 0 || stderr !== '') throw new Error(`${event} without a fault: ${code} ${stderr}`);
}

/** What the hook itself records when nothing fails, by type and session. @param before so many events are there */
async function expectedOf(
  project: HookProject,
  hook: HookEvent,
  before: number,
): Promise<string[]> {
  await runClean(project, hook);
  const own = recorded(project)
    .slice(before)
    .filter((one) => one.startsWith('hook '));
  if (own.length === 0) throw new Error(`${hook.event} recorded nothing`);
  return own.filter((one) => !one.includes('recall.injected'));
}

function recorded(project: HookProject): string[] {
  const reader = new JournalReader(realPorts, project.root, decoders);
  return [...reader.entries()].flatMap(({ entry }) => {
    if (entry === undefined) return [];
    const { source, type, session } = decodeEnvelope(entry.payload);
    return [`${source} ${type} of ${session}`];
  });
}

async function judged(scene: Scene, plan: Plan, tally: HookTally): Promise<string[]> {
  const { project, hook: event, before, expected } = scene;
  project.putBack();
  const { hook, report } = await scene.run(event, plan);
  tally.runs += 1;
  if (hook.stderr !== '') tally.complained += 1;
  const told: string[] = [];
  if (hook.code !== 0) told.push(`it ended with ${hook.code}`);
  if (!/^(?:ben10: [^\n]+\n)?$/.test(hook.stderr)) told.push(`it said ${hook.stderr}`);
  if (!isForClient(hook.stdout, event.event)) told.push(`it printed ${hook.stdout}`);
  if (report.failed === 0) told.push(NOT_REACHED);
  try {
    told.push(...journalAfter(project, plan));
    const after = countsOf(recorded(project));
    const needed = hook.stderr === '' ? [...expected] : [];
    if (hook.stdout !== '')
      needed.push(`hook recall.injected of ${event.input.session_id as string}`);
    for (const [one, n] of countsOf(needed))
      if ((after.get(one) ?? 0) < (before.get(one) ?? 0) + n)
        told.push(`it said nothing, and this is not there: ${one}`);
    for (const [one, n] of before)
      if ((after.get(one) ?? 0) < n) told.push(`this was there before and is gone: ${one}`);
  } catch (error) {
    told.push(`afterwards it threw ${(error as Error).stack}`);
  }
  return told;
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Nothing, or the whole JSON that the client puts before the model. */
function isForClient(stdout: string, event: string): boolean {
  if (stdout === '') return true;
  try {
    const { hookSpecificOutput: output } = JSON.parse(stdout);
    return output.hookEventName === event && typeof output.additionalContext === 'string';
  } catch {
    return false;
  }
}

/** The fault is gone: the journal takes events, and all in it verifies. */
function* journalAfter(project: HookProject, { fault }: Plan): Generator<string> {
  const writer = new JournalWriter(realPorts, project.root, { lockBudgetMs: 5000 });
  try {
    const { seqs } = writer.append([newEventOfNobody()]);
    if (seqs.length !== 1) yield 'the next append was spooled';
    if (!writer.drain()) yield 'the inbox was not taken in';
  } finally {
    writer.close();
  }
  const { damage } = verifyJournal(realPorts, project.root, decoders);
  if (damage.length === 0) return;
  // A disk that does not give what is on it looks damaged, and appends go on behind it.
  if (fault !== 'EIO' && fault !== 'short read') yield `damage: ${JSON.stringify(damage)}`;
  const { after } = repairJournal(realPorts, project.root, decoders);
  if (after.damage.length > 0) yield `damage is left: ${JSON.stringify(after.damage)}`;
}

const newEventOfNobody = () => newEvent(new Chance(99), 'disk');

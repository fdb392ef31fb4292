import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeEnvelope } from '../../src/journal/envelope.ts';
import { JournalReader } from '../../src/journal/reader.ts';
import { repairJournal } from '../../src/journal/repair.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { Chance } from '../damage/chance.ts';
import { type HookRun, runHook } from '../hook/run-hook.ts';
import { decoders, realPorts } from '../ports.ts';
import { FAULTS, type Fault, type Plan } from './faulty-fs.ts';
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
interface Report {
  /** Names of the calls that the fault is about, in their order. */
  calls: string[];
  failed: number;
}

/** Which of a hook's calls fail, of those that the fault is about, counted from 1. */
type Choice = (calls: readonly string[]) => number[];

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

/** Real hook processes, each with one call of the file system that fails, or all from one on. */
export async function injectIntoHooks(
  tally: HookTally,
  choose: Choice,
  { faults = FAULTS, events }: { faults?: readonly Fault[]; events?: readonly string[] } = {},
): Promise<void> {
  const project = new HookProject();
  try {
    for (const before of project.before()) await runClean(project, before);
    project.remember();
    for (const hook of project.events().filter(({ event }) => events?.includes(event) ?? true)) {
      const expected = await expectedOf(project, hook);
      for (const fault of faults) await injectInto(project, hook, fault, choose, expected, tally);
    }
  } finally {
    project.remove();
  }
}

async function injectInto(
  project: HookProject,
  hook: HookEvent,
  fault: Fault,
  choose: Choice,
  expected: readonly string[],
  tally: HookTally,
): Promise<void> {
  const calls = await callsOf(project, hook, fault);
  for (const chosen of choose(calls))
    for (const how of ['once', 'from then on'] as const) {
      const name = calls[chosen - 1]!;
      let call = chosen;
      let told = await judged(project, hook, { fault, call, how }, expected, tally);
      // One that has less time than before looks at less, and does not come so far.
      for (let again = 1; again < RUNS_MAX && told.includes(NOT_REACHED); again += 1) {
        call = Math.min(call, (await callsOf(project, hook, fault)).lastIndexOf(name) + 1);
        told = await judged(project, hook, { fault, call, how }, expected, tally);
      }
      const place = `${hook.event}: ${fault} at ${name} (call ${call}), ${how}`;
      tally.violations.push(...told.map((one) => `${place}: ${one}`));
    }
}

const NOT_REACHED = 'nothing failed';
/** Of a fault that a hook does not come to. */
const RUNS_MAX = 4;

/** Those of the shortest of some runs: one that takes a second syncs once more, which the next one may have no reason for. */
async function callsOf(project: HookProject, hook: HookEvent, fault: Fault): Promise<string[]> {
  const counted: string[][] = [];
  for (let time = 0; time < 3; time += 1)
    counted.push((await run(project, hook, { fault, call: 0, how: 'once' })).report.calls);
  return counted.reduce((least, calls) => (calls.length < least.length ? calls : least));
}

async function run(
  project: HookProject,
  { event, input }: HookEvent,
  plan: Plan,
): Promise<{ hook: HookRun; report: Report }> {
  project.putBack();
  const env = {
    NODE_OPTIONS: `--require ${PRELOADED}`,
    BEN10_FAULT: JSON.stringify({ ...plan, report: project.report }),
  };
  const hook = await runHook(project.dir, event, input, env, project.dist);
  const report = existsSync(project.report)
    ? (JSON.parse(readFileSync(project.report, 'utf8')) as Report)
    : { calls: [], failed: 0 };
  return { hook, report };
}

async function runClean(project: HookProject, { event, input }: HookEvent): Promise<void> {
  const { code, stderr } = await runHook(project.dir, event, input, {}, project.dist);
  if (code !== 0 || stderr !== '') throw new Error(`${event} without a fault: ${code} ${stderr}`);
}

/** What the hook itself records when nothing fails, by type and session. */
async function expectedOf(project: HookProject, hook: HookEvent): Promise<string[]> {
  project.putBack();
  const before = await recorded(project);
  await runClean(project, hook);
  const after = await recorded(project);
  const own = after.slice(before.length).filter((one) => one.startsWith('hook '));
  if (own.length === 0) throw new Error(`${hook.event} recorded nothing`);
  return own.filter((one) => !one.includes('recall.injected'));
}

async function recorded(project: HookProject): Promise<string[]> {
  const reader = new JournalReader(realPorts, project.root, decoders);
  return [...reader.entries()].flatMap(({ entry }) => {
    if (entry === undefined) return [];
    const { source, type, session } = decodeEnvelope(entry.payload);
    return [`${source} ${type} of ${session}`];
  });
}

async function judged(
  project: HookProject,
  event: HookEvent,
  plan: Plan,
  expected: readonly string[],
  tally: HookTally,
): Promise<string[]> {
  const before = countsOf(await fresh(project));
  const { hook, report } = await run(project, event, plan);
  tally.runs += 1;
  if (hook.stderr !== '') tally.complained += 1;
  const told: string[] = [];
  if (hook.code !== 0) told.push(`it ended with ${hook.code}`);
  if (!/^(?:ben10: [^\n]+\n)?$/.test(hook.stderr)) told.push(`it said ${hook.stderr}`);
  if (!isForClient(hook.stdout, event.event)) told.push(`it printed ${hook.stdout}`);
  if (report.failed === 0) told.push(NOT_REACHED);
  try {
    told.push(...journalAfter(project, plan));
    const after = countsOf(await recorded(project));
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

async function fresh(project: HookProject): Promise<string[]> {
  project.putBack();
  return recorded(project);
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

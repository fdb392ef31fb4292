import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { hookEventName } from '../capture/claude/hook-names.ts';
import { observeHook } from '../capture/claude/hooks.ts';
import { text } from '../capture/json.ts';
import { nameByOrder } from '../capture/naming.ts';
import { layoutOf, refuseUnsafeLayout } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { UsableConfig } from '../platform/config.ts';
import { configWarning } from '../platform/config-warning.ts';
import { nodeFs } from '../platform/fs.ts';
import { type HookConfig, hookConfigOrDefault, readHookConfig } from '../platform/hook-config.ts';
import { makeBen10Dir, prepareStorage } from '../platform/storage.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { HookMoment, HookStep } from '../project/doors.ts';
import { INJECTIONS, STEPS_AFTER_ANSWER, STEPS_BEFORE_ANSWER } from '../project/features.ts';
import { LOCK_BUDGET_MS, openProject, optionsOf, type Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import type { HookCall } from './entry-hook.ts';
import { answerTo, given } from './give.ts';
import { guarding } from './guard.ts';
import { HOOK_LOCK_BUDGET_MS } from './recording.ts';
import { handOver, REST_MS, readRest, storeStates } from './rest.ts';
import { isConfigured } from './settings.ts';

/** What reading transcripts may take of a hook's time; `init` gives hooks 5 s, a session's start 10 s. */
const RECONCILE_MS = 2500;
/** What folding may take besides: what is left of those seconds is for a slow disk. */
const FOLD_MS = { SessionStart: 7000, others: 3500 };

/** Somebody waits for what these give back: what is new is stored at the turn's end. */
const AWAITED = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * Facts that a session's end has found in a transcript and folds at once: the client waits for its hook. What are more than
 * that, whoever asks for a state folds and stores.
 */
const FOLDED_AT_END_MAX = 500;

/** The hooks that come once a turn: they name their fact, catch up with the transcript, and give back. */
export function runSlowHook(call: HookCall): void {
  const { config, wrong } = settings(call.dir);
  if (!config.context.autoSave) return;
  makeBen10Dir(call.dir);
  prepareStorage(call.dir, config.context.storageLocation);
  const event = hookEventName(call.event);
  const moment = momentOf(call, event, config);
  const project = openProject(call.dir, {
    lockBudgetMs: HOOK_LOCK_BUDGET_MS,
    remembersWritten: true,
    awaited: moment.isAwaited ? moment.session : undefined,
    ...optionsOf(config),
    foldUntil: call.startedAt + (event === 'SessionStart' ? FOLD_MS.SessionStart : FOLD_MS.others),
  });
  try {
    work(project, call, moment, wrong);
  } catch (error) {
    // The states are stored as far as this hook came; the next one goes on, and the transcript has what is missing.
    if ((error as { code?: string }).code !== 'STATES_BEHIND') throw error;
  }
}

/** What the process does that an end hands a transcript's rest over to. Where it does not come to its end, the next start goes on. */
export function readOn([dir, session, transcript]: string[]): void {
  if (dir === undefined || session === undefined || transcript === undefined) return;
  const { config } = settings(dir);
  if (!config.context.autoSave) return;
  const until = Date.now() + REST_MS;
  const project = openProject(dir, {
    lockBudgetMs: LOCK_BUDGET_MS,
    remembersWritten: true,
    ...optionsOf(config),
    foldUntil: until,
  });
  readRest(project, session, transcript, until);
}

function work(project: Project, call: HookCall, moment: HookMoment, wrong?: string): void {
  const { event, session } = moment;
  // Before anything is given back that somebody wanted to be gone.
  if (event === 'SessionStart') finishErasure(project);
  const isNamed = session !== '';
  const { guard, complaint } = guarding();
  const before = isNamed ? stepsAt(event, STEPS_BEFORE_ANSWER) : [];
  const found = before.map((step) => guard(step.failed, () => step.before?.(project, moment)));
  // What waits because an erasure was cut off is needed by all that follows.
  if (record(project, call)) finishErasure(project);
  call.isRecorded = true;
  if (!isNamed) return;
  const notices = before.map((step, at) =>
    guard(step.failed, () => step.run(project, moment, found[at])),
  );
  if (event === 'SessionStart' && wrong !== undefined) notices.push(`ben10: ${wrong}`);
  const text = given(project, moment, INJECTIONS, guard);
  const said = notices.filter((one) => one !== undefined);
  print(answerTo(event, text, said));
  guard('the states were not stored', () => store(project, call.dir, moment));
  for (const step of stepsAt(event, STEPS_AFTER_ANSWER))
    guard(step.failed, () => step.run(project, moment, undefined));
  // Not before all else is done: should that fail, its line is the only one.
  const line = complaint();
  if (line !== undefined) complain(line);
}

const stepsAt = (event: string, steps: readonly HookStep[]): readonly HookStep[] =>
  steps.filter(({ on }) => (on as readonly string[]).includes(event));

/** The states at the turn's end; what an end leaves of a transcript another process reads. */
function store(project: Project, dir: string, moment: HookMoment): void {
  const { event, session, transcript, isAwaited, read } = moment;
  const isEnd = event === 'SessionEnd';
  if (isAwaited) return;
  if (isEnd && !read.isWhole) handOver(dir, session, transcript!);
  else if (!isEnd || read.added <= FOLDED_AT_END_MAX) storeStates(project, session, isEnd);
}

function momentOf({ input, startedAt }: HookCall, event: string, config: Ben10Config): HookMoment {
  const said = (name: string) => text(input[name]);
  return {
    event,
    session: said('session_id') ?? '',
    source: event === 'SessionStart' ? said('source') : undefined,
    trigger: said('trigger'),
    cwd: said('cwd'),
    transcript: said('transcript_path'),
    config,
    isAwaited: AWAITED.has(event),
    readUntil: startedAt + RECONCILE_MS,
    read: { added: 0, isWhole: true },
  };
}

function complain(line: string): void {
  try {
    process.stderr.write(`${line}\n`);
  } catch {
    // Nobody is listening.
  }
}

/** An erasure that was cut off; hardly ever there is one, so what it takes is run when it is asked for. */
function finishErasure(project: Project): void {
  if (readManifest(project.ports, project.layout)?.erasing === undefined) return;
  const { takeInbox } = require('../project/inbox.ts') as typeof import('../project/inbox.ts');
  takeInbox(project);
}

/** Compiles a project's settings; what can be used of them holds at once. Hardly ever needed, so the YAML parser is run when it is asked for. */
export function compileSettings(projectDir: string): UsableConfig {
  const { compileUsableSettings } =
    require('../platform/compile-settings.ts') as typeof import('../platform/compile-settings.ts');
  return compileUsableSettings({ projectDir });
}

/** Whether it waits in the inbox. */
function record(project: Project, call: HookCall): boolean {
  const seen = observeHook(call.event, call.input, call.happenedAt);
  if (seen === undefined) return false;
  const byOrder = seen.type === 'prompt.submitted' || seen.type === 'compaction.finished';
  const named = byOrder ? nameByOrder(seen, project.states.at(cursors, seen.session).state) : seen;
  if (named === undefined) return false;
  return project.recorder.append([project.recorder.event(named, 'hook')]).spooled;
}

/**
 * What was changed holds at once: a new pattern is there for the very text that comes next.
 * @returns also what is wrong with the settings, for people
 */
function settings(dir: string): { config: Ben10Config; wrong?: string | undefined } {
  const root = join(dir, BEN10_DIR);
  // Before they are read, or written anew.
  refuseUnsafeLayout(nodeFs, layoutOf(root));
  const compiled = readHookConfig(root);
  if (compiled !== undefined && !compiled.stale) return told(compiled);
  // A folder of ours without settings is compiled, too: then no hook has to look again.
  const isOurs = compiled !== undefined || nodeFs.statIfThere(root) !== undefined;
  if (isOurs || isConfigured(dir)) return told(compileSettings(dir));
  return { config: hookConfigOrDefault(root) };
}

const told = ({ config, problems }: Pick<HookConfig, 'config' | 'problems'>) => ({
  config,
  wrong: configWarning(problems),
});

/** At once and whole: the process ends right behind it. */
function print(output: string): void {
  const bytes = Buffer.from(output);
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') return; // nobody reads
    }
  }
}

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { hookEventName } from '../capture/claude/hook-names.ts';
import { observeHook } from '../capture/claude/hooks.ts';
import { text } from '../capture/json.ts';
import { nameByOrder } from '../capture/naming.ts';
import { takeOverdue } from '../handoff/hook-steps.ts';
import { layoutOf, refuseUnsafeLayout } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { look } from '../monitor/look.ts';
import type { Newest } from '../monitor/write-view.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { UsableConfig } from '../platform/config.ts';
import { configWarning } from '../platform/config-warning.ts';
import { nodeFs } from '../platform/fs.ts';
import { type HookConfig, hookConfigOrDefault, readHookConfig } from '../platform/hook-config.ts';
import { placeOf } from '../platform/place.ts';
import { makeBen10Dir, prepareStorage } from '../platform/storage.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { HookMoment, HookStep } from '../project/doors.ts';
import { INJECTIONS, STEPS_AFTER_ANSWER, STEPS_BEFORE_ANSWER } from '../project/features.ts';
import { LOCK_BUDGET_MS, openProject, optionsOf, type Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import type { HookCall } from './entry-hook.ts';
import { answerTo, given } from './give.ts';
import { type Guarding, guarding, isBehind } from './guard.ts';
import { HOOK_LOCK_BUDGET_MS } from './recording.ts';
import { handOver, REST_MS, readRest, storeStates } from './rest.ts';
import { isConfigured } from './settings.ts';

/** Time for reading transcripts; `init` gives hooks 5 s, a session's start 10 s. */
const RECONCILE_MS = 2500;
/** Time for folding besides; the rest is for a slow disk. */
const FOLD_MS = { SessionStart: 7000, others: 3500 };

/** Of what a hook appends; its folds need not read that again. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;

/** A slower hook is noted for `ben10 status`. */
const SLOW_MS = 1000;

/** The client blocks on these hooks; new state is stored at the end of the turn. */
const AWAITED = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * Facts that a session's end folds at once, for the client waits. More are folded by the next process that needs
 * them.
 */
const FOLDED_AT_END_MAX = 500;

/** Hooks that come once a turn: they name their fact, read the transcript, and inject. */
export function runSlowHook(call: HookCall): void {
  const { config, wrong } = settings(call.dir);
  if (!config.context.autoSave) return;
  makeBen10Dir(call.dir);
  prepareStorage(call.dir, config.context.storageLocation);
  const event = hookEventName(call.event);
  const moment = momentOf(call, event, config);
  const project = openProject(call.dir, {
    lockBudgetMs: HOOK_LOCK_BUDGET_MS,
    rememberedBytes: REMEMBERED_BYTES,
    awaited: moment.isAwaited ? moment.session : undefined,
    ...optionsOf(config),
    foldUntil: call.startedAt + (event === 'SessionStart' ? FOLD_MS.SessionStart : FOLD_MS.others),
  });
  const guarded = guarding();
  let undone: string | undefined;
  try {
    work(project, call, moment, guarded, wrong);
  } catch (error) {
    // The states are stored as far as this hook came; the next one goes on.
    if (!isBehind(error)) throw error;
    undone = guarded.undone() ?? 'it was not done';
  }
  const ms = Date.now() - call.happenedAt;
  if (undone === undefined && ms < SLOW_MS) return;
  try {
    const { recorder } = project;
    recorder.append([
      recorder.ownEvent(
        'hook.slow',
        moment.session || null,
        { event, ms, ...(undone !== undefined && { undone }) },
        'hook',
      ),
    ]);
  } catch {
    // Only a note.
  }
}

export { projectOfClient } from '../platform/project-above.ts';

/** In mid-turn: has the model told of a new level, by whoever notes it first, and takes a checkpoint that may not wait. */
export function watchBehind(call: HookCall, sample: Newest['sample']): void {
  const { config } = settings(call.dir);
  const moment = momentOf(call, call.event, config);
  const { session, cwd, event } = moment;
  const project = openProject(call.dir, {
    lockBudgetMs: HOOK_LOCK_BUDGET_MS,
    ...optionsOf(config),
    foldUntil: call.startedAt + FOLD_MS.others,
  });
  try {
    const { worktree } = placeOf(project.dir, cwd);
    const { text } = look(project, session, config.monitor, event, { sample, worktree });
    // Before the checkpoint: the client may not wait for that.
    if (text !== undefined) print(answerTo(event, text, []));
    const notice = takeOverdue(project, moment);
    if (text === undefined && notice !== undefined) print(answerTo(event, '', [notice]));
  } catch (error) {
    // The next call goes on where this one stopped.
    if (!isBehind(error)) throw error;
  }
}

/** Reads the rest of a transcript in a process of its own. If it is killed, the next session start goes on. */
export function readOn([dir, session, transcript]: string[]): void {
  if (dir === undefined || session === undefined || transcript === undefined) return;
  const { config } = settings(dir);
  if (!config.context.autoSave) return;
  const until = Date.now() + REST_MS;
  const project = openProject(dir, {
    lockBudgetMs: LOCK_BUDGET_MS,
    rememberedBytes: REMEMBERED_BYTES,
    ...optionsOf(config),
    foldUntil: until,
  });
  readRest(project, session, transcript, until);
}

function work(
  project: Project,
  call: HookCall,
  moment: HookMoment,
  { guard, complaint }: Guarding,
  wrong?: string,
): void {
  const { event, session } = moment;
  // First: nothing that was to be erased may be injected.
  if (event === 'SessionStart') finishErasure(project);
  const isNamed = session !== '';
  const before = isNamed ? stepsAt(event, STEPS_BEFORE_ANSWER) : [];
  const found = before.map((step) => guard(step.failed, () => step.before?.(project, moment)));
  // What waits because an erasure was interrupted is needed below.
  if (record(project, call)) finishErasure(project);
  call.isRecorded = true;
  if (!isNamed) return;
  const notices = before.map((step, at) =>
    guard(step.failed, () => step.run(project, moment, found[at])),
  );
  if (event === 'SessionStart' && wrong !== undefined) notices.push(`ben10: ${wrong}`);
  const { text, notice } = given(project, moment, INJECTIONS, guard);
  const said = [...notices, notice].flatMap((one) => one || []);
  print(answerTo(event, text, said));
  guard('the states were not stored', () => store(project, moment));
  for (const one of moment.left) handOver(call.dir, one.session, one.transcript);
  for (const step of stepsAt(event, STEPS_AFTER_ANSWER))
    guard(step.failed, () => step.run(project, moment, undefined));
  // Last, so that an error from above is the only line.
  const line = complaint();
  if (line !== undefined) complain(line);
}

const stepsAt = (event: string, steps: readonly HookStep[]): readonly HookStep[] =>
  steps.filter(({ on }) => (on as readonly string[]).includes(event));

/** Stores the states at the turn's end, but for those that the next reader of the transcript stores. */
function store(project: Project, { event, session, isAwaited, read, left }: HookMoment): void {
  const isEnd = event === 'SessionEnd';
  if (isAwaited || left.length > 0) return;
  if (!isEnd || read.added <= FOLDED_AT_END_MAX) storeStates(project, session, isEnd);
}

function momentOf({ input, startedAt }: HookCall, event: string, config: Ben10Config): HookMoment {
  const said = (name: string) => text(input[name]);
  return {
    event,
    session: said('session_id') ?? '',
    source: event === 'SessionStart' ? said('source') : undefined,
    trigger: said('trigger'),
    cwd: said('cwd'),
    prompt: said('prompt'),
    transcript: said('transcript_path'),
    config,
    isAwaited: AWAITED.has(event),
    readUntil: startedAt + RECONCILE_MS,
    read: { added: 0, isWhole: true },
    left: [],
  };
}

function complain(line: string): void {
  try {
    process.stderr.write(`${line}\n`);
  } catch {
    // Nobody reads stderr.
  }
}

/** Finishes an interrupted erasure. Rare, so its code is loaded on demand. */
function finishErasure(project: Project): void {
  if (readManifest(project.ports, project.layout)?.erasing === undefined) return;
  const { takeInbox } = require('../project/inbox.ts') as typeof import('../project/inbox.ts');
  takeInbox(project);
}

/** Compiles a project's settings. Rare, so the YAML parser is loaded on demand. */
export function compileSettings(projectDir: string): UsableConfig {
  const { compileUsableSettings } =
    require('../platform/compile-settings.ts') as typeof import('../platform/compile-settings.ts');
  return compileUsableSettings({ projectDir });
}

/** Returns whether the event waits in the inbox. */
function record(project: Project, call: HookCall): boolean {
  const seen = observeHook(call.event, call.input, call.happenedAt);
  if (seen === undefined) return false;
  const { recorder, states } = project;
  const byOrder = seen.type === 'prompt.submitted' || seen.type === 'compaction.finished';
  const named = byOrder
    ? nameByOrder(seen, states.at(cursors, seen.session).state, (text) => recorder.kept(text))
    : seen;
  return named !== undefined && recorder.append([recorder.event(named, 'hook')]).spooled;
}

/**
 * Changed settings apply at once: a new pattern covers the very next text.
 * @returns also what is wrong with them, for people
 */
function settings(dir: string): { config: Ben10Config; wrong?: string | undefined } {
  const root = join(dir, BEN10_DIR);
  // Before they are read or written.
  refuseUnsafeLayout(nodeFs, layoutOf(root));
  const compiled = readHookConfig(root);
  if (compiled !== undefined && !compiled.stale) return usable(compiled);
  // Compiled even without settings, so that no later hook looks again.
  const isOurs = compiled !== undefined || nodeFs.statIfThere(root) !== undefined;
  if (isOurs || isConfigured(dir)) return usable(compileSettings(dir));
  return { config: hookConfigOrDefault(root) };
}

const usable = ({ config, problems }: Pick<HookConfig, 'config' | 'problems'>) => ({
  config,
  wrong: configWarning(problems),
});

/** At once and in full: the process ends right after. */
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

import { hookEventName } from '../capture/claude/hook-names.ts';
import { observeHook } from '../capture/claude/hooks.ts';
import { text } from '../capture/json.ts';
import type { Observation } from '../capture/observation.ts';
import { Recorder } from '../capture/recorder.ts';
import { compileRedaction, type RedactionConfig } from '../capture/redaction/index.ts';
import { JournalWriter } from '../journal/append/writer.ts';
import { processStartedAt, systemClock } from '../platform/clock.ts';
import type { Ben10Error } from '../platform/errors.ts';
import { excludedBy } from '../platform/exclude.ts';
import { nodeFs } from '../platform/fs.ts';
import type { CallSettings } from '../platform/hook-config-file.ts';
import { isLeftToLocal } from '../platform/local-copy.ts';
import { type FileLock, loadFileLock } from '../platform/lock.ts';
import { isNoProject } from '../platform/project-folder.ts';
import { systemRandom } from '../platform/random.ts';
import { makeBen10Dir, storageIn } from '../platform/storage.ts';
import { xxh64 } from '../platform/xxh64.ts';
import type { Bundle } from './code-cache.ts';
import { isEmpty, isUnreadable, parseInput, withSafeIds } from './input.ts';
import { HOOK_LOCK_BUDGET_MS, projectDir } from './recording.ts';
import { settingsOfCall } from './settings.ts';
import { readStdin } from './stdin.ts';

/** Hooks that inject, read transcripts or name their fact by earlier ones: they load `hook-slow.cjs`. */
const SLOW = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
];
/** Session starts that inject different things. */
const STARTS = ['startup', 'resume', 'compact'];

/** Everything lies below such a folder: all would be one project. */
const NO_PROJECT =
  'nothing is recorded: the home folder or the root is no project. Start the client in a project';

/** What a tool call's hook did: appended, found the lock taken, or drained the inbox. Each runs other code. */
const WAYS = { appended: 0, spooled: 1, drained: 2 } as const;
type Way = (typeof WAYS)[keyof typeof WAYS];

const NOTHING_CAME = 'stdin was empty or came too late; only that was recorded';

/** What a hook passes to its slow half. */
export interface HookCall {
  event: string;
  input: Record<string, unknown>;
  dir: string;
  startedAt: number;
  /** When the process was started, milliseconds since the epoch: the event had just happened then. */
  happenedAt: number;
  /** True once the event is in the journal or its inbox. */
  isRecorded?: boolean;
}

/**
 * One hook call, from stdin to exit. The agent always goes on: exit code 0, only text for the model on stdout, at
 * most one line on stderr.
 * @param recorded called after the hook of a tool call, with what it did
 * @param loadSlow loads `hook-slow.cjs`
 */
export function runHook(
  given: string | undefined,
  recorded: (way: Way) => void,
  loadSlow: () => Bundle<typeof import('./entry-slow.ts')>,
): void {
  const startedAt = Date.now();
  let call: HookCall | undefined;
  try {
    const event = hookEventName(given ?? '');
    const input = withSafeIds(parseInput(event, readStdin()));
    call = {
      event: text(input.hook_event_name) ?? event,
      input,
      dir: projectDir(input),
      startedAt,
      happenedAt: processStartedAt(),
    };
    const name = hookEventName(call.event);
    if (isNoProject(call.dir)) leave(name === 'SessionStart' ? NO_PROJECT : undefined);
    if (isLeftToLocal(call.dir, process.argv[4])) leave();
    const work = SLOW.indexOf(name);
    if (work !== -1) {
      const { exports, keep } = loadSlow();
      exports.runSlowHook(call);
      keep(work === 0 ? SLOW.length + 1 + STARTS.indexOf(text(input.source) ?? '') : work);
    } else {
      const way = record(call);
      call.isRecorded = true;
      recorded(way);
    }
    if (isUnreadable(event, input))
      say(
        `HOOK_INVALID_INPUT: ${isEmpty(input) ? NOTHING_CAME : 'stdin is not a complete JSON object; its beginning was kept'}`,
      );
  } catch (error) {
    complain(error, call?.isRecorded === true);
  }
  leave();
}

/** Skips the teardown of the process: nothing is left to do, and stdout was written synchronously. */
function leave(what?: string): never {
  if (what !== undefined) say(what);
  return (process as unknown as { reallyExit(code: number): never }).reallyExit(0);
}

function record(call: HookCall): Way {
  const seen = observeHook(call.event, call.input, call.happenedAt);
  const settings = seen && settingsOfCall(call.dir);
  return settings?.autoSave ? append(call.dir, seen!, settings) : WAYS.appended;
}

function append(dir: string, seen: Observation, settings: CallSettings): Way {
  makeBen10Dir(dir);
  const root = storageIn(dir, settings.storage);
  const lock = systemLock();
  // The code that finishes an erasure is not in this bundle.
  const ports = { fs: nodeFs, clock: systemClock, random: systemRandom, lock, xxh64, stored: [] };
  const writer = new JournalWriter(ports, root, { lockBudgetMs: HOOK_LOCK_BUDGET_MS });
  const redaction = compileRedaction(settings.redaction as RedactionConfig).options;
  const excluded = (file: string) => excludedBy(settings.exclude, dir, file);
  const recorder = new Recorder({
    ports,
    root,
    writer,
    redaction,
    excluded,
    client: 'claude-code',
  });
  const { spooled } = recorder.append([recorder.event(seen, 'hook')]);
  if (spooled) return WAYS.spooled;
  return writer.taken > 0 ? WAYS.drained : WAYS.appended;
}

function systemLock(): FileLock | undefined {
  try {
    return loadFileLock(`${__dirname}/addons`);
  } catch {
    return undefined; // no addon for this system: the event goes to the inbox
  }
}

/** One line without the event's content, which may be secret. */
function complain(error: unknown, isRecorded: boolean): void {
  const { name, code, message } = error as Partial<Ben10Error>;
  // Only ben10's own errors have codes of ours.
  const known = name === 'Ben10Error' ? code : 'HOOK_EXECUTION_FAILED';
  // Control, bidirectional and invisible characters, which a path may have. Built here: that takes longer than to
  // write an event.
  const notShown =
    /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
  const why = String(message).split('\n')[0]!.replace(notShown, '');
  const what = isRecorded ? 'recorded, but a later step failed' : 'not recorded';
  say(`this event was ${what}: ${known}: ${why}`);
}

function say(what: string): void {
  try {
    process.stderr.write(`${`ben10: ${what}`.slice(0, 400)}\n`);
  } catch {
    // Nobody reads stderr; still exit 0.
  }
}

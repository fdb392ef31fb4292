import { existsSync, statSync } from 'node:fs';
import { hookEventName } from '../capture/claude/hook-names.ts';
import { observeHook } from '../capture/claude/hooks.ts';
import { text } from '../capture/json.ts';
import { dueBehind, newestIn } from '../monitor/mid-turn.ts';
import { processStartedAt } from '../platform/clock.ts';
import type { Ben10Error } from '../platform/errors.ts';
import type { CallSettings } from '../platform/hook-config-file.ts';
import { isLeftToLocal } from '../platform/local-copy.ts';
import { isNoProject } from '../platform/project-folder.ts';
import { storageIn } from '../platform/storage.ts';
import { append, WAYS, type Way } from './append.ts';
import type { Bundle } from './code-cache.ts';
import { isEmpty, isUnreadable, parseInput, withSafeIds } from './input.ts';
import { projectDir } from './recording.ts';
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
 * @param recorded called after the hook of a tool call, with what it did, and whether it saw that nothing is due
 * @param loadSlow loads `hook-slow.cjs`
 */
export function runHook(
  given: string | undefined,
  recorded: (way: Way, isSeen: boolean) => void,
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
      dir: dirOf(input, loadSlow),
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
      const settings = settingsOfCall(call.dir);
      const way = record(call, settings);
      call.isRecorded = true;
      const seen = name === 'PostToolUse' ? seenBehind(call, settings) : undefined;
      recorded(way, seen !== undefined && seen.due === undefined);
      if (seen?.due) {
        const { exports, keep } = loadSlow();
        exports.watchBehind(call, seen.usage);
        keep(SLOW.length + STARTS.length + 1);
      }
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

/** A linked worktree has the project of its repository, unless it has its own; few hooks need the code that looks for it. */
function dirOf(
  input: Record<string, unknown>,
  loadSlow: () => Bundle<typeof import('./entry-slow.ts')>,
): string {
  const dir = projectDir(input);
  const isOwn = existsSync(`${dir}/.ben10`);
  const isWorktree = !isOwn && statSync(`${dir}/.git`, { throwIfNoEntry: false })?.isFile();
  return isWorktree ? loadSlow().exports.projectOfClient(dir) : dir;
}

/** Skips the teardown of the process: nothing is left to do, and stdout was written synchronously. */
function leave(what?: string): never {
  if (what !== undefined) say(what);
  return (process as unknown as { reallyExit(code: number): never }).reallyExit(0);
}

function record(call: HookCall, settings: CallSettings): Way {
  const seen = observeHook(call.event, call.input, call.happenedAt);
  return seen && settings.autoSave
    ? append(call.dir, settings, (recorder) => recorder.event(seen, 'hook'))
    : WAYS.appended;
}

/** How full the context is, and what is due; sub-agents have contexts of their own. */
function seenBehind({ dir, input }: HookCall, settings: CallSettings) {
  const { transcript_path: transcript, session_id: session, agent_id: agent } = input;
  if (!text(transcript) || !text(session) || text(agent)) return undefined;
  const { autoSave, autoRestore, storage } = settings;
  if (!autoSave || !autoRestore) return undefined;
  const usage = newestIn(transcript as string);
  return usage && { usage, due: dueBehind(storageIn(dir, storage), session as string, usage) };
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

/**
 * A plain command hook for every event of the client, which keeps what it is given.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, writeProgram } from './sandbox.ts';

/**
 * Every event of Claude Code 2.1.329 but WorktreeCreate: a hook there would have to make the
 * worktree itself.
 */
export const HOOK_EVENTS =
  `PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact
PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle
TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeRemove
InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay`.split(/\s+/);

/** A hook's stdin; only what tests name is typed. */
export interface HookInput {
  hook_event_name: string;
  session_id: string;
  transcript_path: string;
  prompt_id?: string;
  agent_id?: string;
  tool_name?: string;
  tool_use_id?: string;
  prompt?: string;
  [key: string]: unknown;
}

export interface HookArrival {
  /** When the hook's process started, in nanoseconds since 1970, as a string. */
  at: string;
  input: HookInput;
  /** Lines that each transcript had on disk then: file name → lines. */
  transcriptLines: Record<string, number>;
}

/** The hook: stdin and the length of the transcripts into files of their own, named by time. */
const HOOK_PROGRAM = `
name="$(date +%s%N)-$$"
wc -l "$HOME"/.claude/projects/*/*.jsonl "$HOME"/.claude/projects/*/*/subagents/*.jsonl \\
  >"$RECORDINGS/$name.lines" 2>/dev/null
cat >"$RECORDINGS/$name.partial"
mv "$RECORDINGS/$name.partial" "$RECORDINGS/$name.json"
`;

/** Configures the hook for every event in the project's settings. */
export function recordHooks(sandbox: Sandbox): void {
  const recordings = recordingsOf(sandbox);
  mkdirSync(recordings, { recursive: true });
  const program = join(sandbox.binDir, 'record-hook');
  writeProgram(program, `RECORDINGS='${recordings}'${HOOK_PROGRAM}`);
  const entry = [{ hooks: [{ type: 'command', command: program, timeout: 5 }] }];
  const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, entry]));
  mkdirSync(join(sandbox.project, '.claude'), { recursive: true });
  writeFileSync(join(sandbox.project, '.claude', 'settings.json'), JSON.stringify({ hooks }));
}

/** What the hooks were given so far, in order of arrival. */
export function recordedHooks(sandbox: Sandbox): HookArrival[] {
  const recordings = recordingsOf(sandbox);
  const names = readdirSync(recordings)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return names.map((name) => ({
    at: name.split('-')[0] ?? '',
    input: JSON.parse(readFileSync(join(recordings, name), 'utf8')) as HookInput,
    transcriptLines: readLineCounts(join(recordings, name.replace('.json', '.lines'))),
  }));
}

const recordingsOf = (sandbox: Sandbox): string => join(sandbox.root, 'recordings');

/** The output of `wc -l`: "  12 /path", with a line "total" when there are several files. */
function readLineCounts(path: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const match = /^\s*(\d+) \/.*\/([^/]+\.jsonl)$/.exec(line);
    if (match !== null) counts[match[2] ?? ''] = Number(match[1]);
  }
  return counts;
}

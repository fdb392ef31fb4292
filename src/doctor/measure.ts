import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';

export interface HookTime {
  /** Medians, milliseconds, of a whole process each. */
  hookMs: number;
  nodeMs: number;
  ratio: number;
}

/** Odd, so that the median is one of them. */
const RUNS = 11;
/** What the agent waits for a hook that records one tool call, against an empty Node. */
export const RATIO_WARN = 2;
/** A tool's input and answer of a usual size. */
const PAYLOAD_BYTES = 4096;

/**
 * Times the program's hook for a finished tool call, on a journal of its own, against a Node that does nothing.
 * @param program the installed `ben10.cjs`
 * @throws Error when the hook did not run
 */
export function measureHook(program: string, env: NodeJS.ProcessEnv): HookTime {
  const project = mkdtempSync(path.join(tmpdir(), 'ben10-doctor-'));
  mkdirSync(path.join(project, '.ben10'), { mode: 0o700 });
  const options = { env: { ...env, CLAUDE_PROJECT_DIR: project }, cwd: project };
  try {
    const hooks: number[] = [];
    const nodes: number[] = [];
    // In turns, so that a busy moment hits both.
    for (let run = 0; run <= RUNS; run += 1) {
      const input = payload(run, project);
      hooks.push(timed([program, 'hook', 'post-tool-use'], { ...options, input }));
      nodes.push(timed(['-e', '0'], options));
    }
    // The first ones fill the caches.
    const hookMs = median(hooks.slice(1));
    const nodeMs = median(nodes.slice(1));
    return { hookMs, nodeMs, ratio: hookMs / nodeMs };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function timed(args: string[], options: Parameters<typeof spawnSync>[2]): number {
  const started = performance.now();
  const { status, stderr, error } = spawnSync(process.execPath, args, options);
  const took = performance.now() - started;
  if (error !== undefined) throw error;
  const said = String(stderr).trim();
  if (status !== 0 || said !== '') throw new Error(said === '' ? `it exited with ${status}` : said);
  return took;
}

function payload(run: number, cwd: string): string {
  return JSON.stringify({
    session_id: 'ben10-doctor',
    transcript_path: path.join(cwd, 'none.jsonl'),
    cwd,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'echo measured' },
    tool_response: { stdout: 'x'.repeat(PAYLOAD_BYTES), stderr: '', interrupted: false },
    tool_use_id: `toolu_doctor_${run}`,
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** @param time undefined when the hook could not be run, with the reason */
export function checkHookTime(time: HookTime | string): Finding {
  if (typeof time === 'string') {
    return fail('hook', `it cannot be run: ${time}`, 'Install ben10 again: npm install -g ben10');
  }
  const { hookMs, nodeMs, ratio } = time;
  const what =
    `recording one tool call takes ${hookMs.toFixed(0)} ms, an empty Node ${nodeMs.toFixed(0)} ms ` +
    `(${ratio.toFixed(2)} times)`;
  if (ratio <= RATIO_WARN) return ok('hook', what);
  return warn(
    'hook',
    what,
    'Run it again on a quiet machine; --hooks mcp starts no process per call',
  );
}

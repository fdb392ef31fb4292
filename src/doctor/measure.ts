import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';

export interface HookTime {
  /** Medians of whole processes, milliseconds. */
  hookMs: number;
  nodeMs: number;
  ratio: number;
}

/** Odd, so that the median is one of them. So many are enough where the hook is as quick as it should be. */
const RUNS_MIN = 3;
/** On a busy machine, or where the hook is slow. */
const RUNS_MAX = 11;
/** Of a hook's time to that of an empty Node process. */
export const RATIO_WARN = 2;
/** A usual size of a tool's answer. */
const PAYLOAD_BYTES = 4096;

/**
 * Measures the hook of a tool call on a temporary journal, and an empty Node process.
 * @param program the installed `ben10.cjs`
 * @throws Error if the hook fails
 */
export function measureHook(program: string, env: NodeJS.ProcessEnv): HookTime {
  const project = mkdtempSync(path.join(tmpdir(), 'ben10-doctor-'));
  mkdirSync(path.join(project, '.ben10'), { mode: 0o700 });
  const options = { env: { ...env, CLAUDE_PROJECT_DIR: project }, cwd: project };
  try {
    const hooks: number[] = [];
    const nodes: number[] = [];
    // Alternating, so that a busy moment affects both.
    for (let run = 0; ; run += 1) {
      const input = payload(run, project);
      const hook = timed([program, 'hook', 'post-tool-use'], { ...options, input });
      const node = timed(['-e', '0'], options);
      // The first run fills the caches.
      if (run === 0) continue;
      hooks.push(hook);
      nodes.push(node);
      const [hookMs, nodeMs] = [median(hooks), median(nodes)];
      const ratio = hookMs / nodeMs;
      const isEnough = run >= RUNS_MIN && ratio <= RATIO_WARN;
      if (isEnough || run === RUNS_MAX) return { hookMs, nodeMs, ratio };
    }
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

/** @param time or why the hook could not be run */
export function checkHookTime(time: HookTime | string): Finding {
  if (typeof time === 'string') {
    return fail('hook', `it cannot be run: ${time}`, 'Reinstall ben10: npm install -g ben10');
  }
  const { hookMs, nodeMs, ratio } = time;
  const what =
    `recording one tool call takes ${hookMs.toFixed(0)} ms, an empty Node ${nodeMs.toFixed(0)} ms ` +
    `(${ratio.toFixed(2)} times)`;
  if (ratio <= RATIO_WARN) return ok('hook', what);
  const mend =
    'Try again on an idle machine; with ben10 init --hooks mcp, tool calls start no process';
  return warn('hook', what, mend);
}

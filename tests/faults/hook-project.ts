import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toolCall } from '../hook/run-hook.ts';
import { KeptFolder } from '../kept-folder.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/transcripts');
/** What a hook loads, and nothing else. */
const PROGRAM = /^(?:ben10|hook.*|redaction)\.cjs$|^addons$/;

/** Hooks that are tried, in the order in which `events` gives them. */
export const HOOKS = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'PreCompact',
  'SessionEnd',
] as const;

/** A hook's event, and what its client hands over. */
export interface HookEvent {
  event: string;
  input: Record<string, unknown>;
}

/** A project of its own with a program of its own, to be put back as it was after every hook. */
export class HookProject {
  readonly top: string;
  readonly dist: string;
  readonly dir: string;
  readonly root: string;
  readonly report: string;
  readonly #transcript: string;
  readonly #earlier: string;
  #kept: KeptFolder | undefined;

  /** @param where a folder, in which it gets one of its own */
  constructor(where: string) {
    this.top = mkdtempSync(path.join(where, 'ben10-faults-'));
    this.dist = path.join(this.top, 'dist');
    this.dir = path.join(this.top, 'project');
    this.root = path.join(this.dir, '.ben10');
    this.report = path.join(this.top, 'report.json');
    this.#transcript = path.join(this.top, 'transcript.jsonl');
    this.#earlier = path.join(this.top, 'earlier.jsonl');
    cpSync(DIST, this.dist, {
      recursive: true,
      filter: (from) =>
        from === DIST || PROGRAM.test(path.relative(DIST, from).split(path.sep)[0]!),
    });
    mkdirSync(this.root, { recursive: true, mode: 0o700 });
    const settings = 'redaction:\n  patterns: []\n';
    writeFileSync(path.join(this.root, 'config.yaml'), settings, { mode: 0o600 });
    const fixture = 'claude-v2.1-compact-boundary-preserved-segment.jsonl';
    for (const file of [this.#transcript, this.#earlier])
      copyFileSync(path.join(FIXTURES, fixture), file);
  }

  #of(event: string, more: Record<string, unknown>, session = 'session-now'): HookEvent {
    const transcript_path = session === 'session-now' ? this.#transcript : this.#earlier;
    const input = { session_id: session, transcript_path, cwd: this.dir, hook_event_name: event };
    return { event, input: { ...input, ...more } };
  }

  /** What was recorded before: a session that never ended, and one that goes on. */
  before(): HookEvent[] {
    const earlier = 'session-earlier';
    return [
      this.#of('SessionStart', { source: 'startup' }, earlier),
      this.#of('UserPromptSubmit', { prompt: 'Always write ISO dates.', prompt_id: 'p0' }, earlier),
      this.#of('PreCompact', { trigger: 'manual' }),
    ];
  }

  /** Each is tried with every fault. */
  events(): HookEvent[] {
    return [
      { event: 'PreToolUse', input: toolCall('call-now') },
      this.#of('PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'cat large.txt' },
        // Kept beside the journal.
        tool_response: { stdout: `${'a line of output\n'.repeat(6000)}` },
        tool_use_id: 'call-now',
      }),
      this.#of('SessionStart', { source: 'compact' }),
      this.#of('UserPromptSubmit', { prompt: 'And now the tests.', prompt_id: 'p-now' }),
      this.#of('Stop', { stop_hook_active: false }),
      this.#of('PreCompact', { trigger: 'auto' }),
      this.#of('SessionEnd', { reason: 'exit' }),
    ];
  }

  /** From now on `putBack` brings the project to what it is now. */
  remember(): void {
    this.#kept = new KeptFolder(this.root);
  }

  putBack(): void {
    this.#kept!.putBack();
    rmSync(this.report, { force: true });
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

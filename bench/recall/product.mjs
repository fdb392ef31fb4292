// ben10 as an installed program: a transcript goes in, and what its hooks put before the model after a compaction comes out.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratch } from '../lib/scratch.mjs';
import { aboutOf, endingNow } from './transcript.mjs';

/** What the client's summary says where the bench has to invent one: that there was work, and nothing of it. */
export const EMPTY_SUMMARY =
  '<summary>\n1. Primary request: the user and the assistant worked on the project.\n2. Pending: to go on with it.\n</summary>';
const NEXT_PROMPT = 'Go on, please.';
const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, ...clean } = process.env;

/** Runs one process to its end. @returns what it printed */
function run(args, { cwd, env, input = '' }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env: { ...clean, ...env } });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8');
      child[name].on('data', (text) => {
        out[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(out.stdout);
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${out.stderr}`));
    });
    child.stdin.end(input);
  });
}

/** A project of its own for one session, with the transcript where the client would have it. */
function project(entry, records, maxChars) {
  const dir = scratch();
  const { session, cwd } = aboutOf(records);
  const transcript = path.join(dir, `${session}.jsonl`);
  // The session happened in this folder: so the program may look at it as it would at the user's.
  const here = (text) => text.replaceAll(cwd, dir);
  const lines = endingNow(records).map((record) => `${here(JSON.stringify(record))}\n`);
  writeFileSync(transcript, lines.join(''));
  const env = { CLAUDE_PROJECT_DIR: dir, BEN10_RECALL_MAX_CHARS: String(maxChars) };
  const about = { session_id: session, transcript_path: transcript, cwd: dir };
  const hook = (name, more) => {
    const input = here(JSON.stringify({ ...about, hook_event_name: name, ...more }));
    return run([entry, 'hook', name], { cwd: dir, env, input });
  };
  const command = (...args) => run([entry, ...args], { cwd: dir, env });
  const there = (text) => text.replaceAll(dir, cwd);
  return { dir, transcript, hook, command, there };
}

/** What a hook's output puts before the model. */
function contextOf(output) {
  if (!output.trimStart().startsWith('{')) return output;
  return JSON.parse(output).hookSpecificOutput?.additionalContext ?? '';
}

/** A compaction as the client does it (order of 2.1.329), and the user's next prompt. */
async function compacted({ hook, there }, summary) {
  const instructions = await hook('PreCompact', { trigger: 'auto', custom_instructions: null });
  const start = contextOf(await hook('SessionStart', { source: 'compact' }));
  await hook('PostCompact', { trigger: 'auto', compact_summary: summary });
  const next = contextOf(await hook('UserPromptSubmit', { prompt: NEXT_PROMPT }));
  const parts = [start, next].filter((text) => text !== '').map(there);
  return { text: parts.join('\n'), instructions: there(instructions) };
}

/**
 * Feeds a session and compacts it.
 * @param how `feed`: `reconcile` (the hooks read the transcript), `import` (`ben10 import` first) or `hooks` (one hook
 *   for each thing that happened); `maxChars`: the setting `recall.maxChars`
 * @returns `text`, what the model is given, never more than `maxChars`; `chars`, its length before that;
 *   `instructions`, what PreCompact printed for the summary (not counted)
 */
export async function givenBack(entry, records, how = {}) {
  const { maxChars = 9000, summary = EMPTY_SUMMARY, feed = 'reconcile', stream = [] } = how;
  const one = project(entry, records, maxChars);
  try {
    if (feed === 'import') {
      await one.command('init');
      await one.command('import', one.transcript);
    }
    if (feed === 'hooks') {
      await one.command('init');
      for (const { name, input } of stream) await one.hook(name, input);
    }
    const { text, instructions } = await compacted(one, summary);
    return { text: text.slice(0, maxChars), chars: text.length, instructions };
  } finally {
    rmSync(one.dir, { recursive: true, force: true });
  }
}

/** Does a job for each of the list, two at a time. @returns the results in the list's order */
export async function eachOf(list, job) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const n = next;
      next += 1;
      results[n] = await job(list[n], n);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}

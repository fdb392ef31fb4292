// `ben10 statusline`: the client runs it at every message, so it is a bundle of its own, reads no journal, and prints before it writes.
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { parseJson } from '../capture/json.ts';
import { toJson } from '../cli/ui/json.ts';
import type { ContextSampled } from '../events/types.ts';
import { append } from '../hook/append.ts';
import { projectDir } from '../hook/recording.ts';
import { isConfigured } from '../hook/settings.ts';
import { readStdin, type Stdin } from '../hook/stdin.ts';
import { type Payload, sampleOf } from '../monitor/payload.ts';
import { newestUsage } from '../monitor/tail.ts';
import { type MonitorView, readView, viewFile } from '../monitor/view.ts';
import { fieldsIn } from '../platform/config/value.ts';
import { ensureDir } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { callSettings, readHookConfigFile } from '../platform/hook-config-file.ts';
import { projectOfClient } from '../platform/project-above.ts';
import { isNoProject } from '../platform/project-folder.ts';
import { storageIn } from '../platform/storage.ts';
import { levelShown, type Shown, statusLine } from './line.ts';
import { type Asked, askedOf } from './options.ts';

/** The client cancels a line that is late. */
const SILENCE_MS = 500;
const TOTAL_MS = 1000;
const WITH_MS = 300;
const WITH_BYTES_MAX = 4096;
const LEVELS = { l1: 70, l2: 85, l3: 95 };

/** What was done; each runs other code. */
const PRINTED = 3;

/** Whatever comes: a line, and exit code 0. @param done receives what kind of run it was */
export async function runStatusLine(
  args: readonly string[],
  done: (kind: number) => void,
): Promise<void> {
  const asked = askedOf(args, process.env);
  const nothing: Stdin = { bytes: Buffer.alloc(0) };
  const { bytes, oversized } = attempt(() => readStdin(SILENCE_MS, TOTAL_MS)) ?? nothing;
  const raw =
    oversized === undefined ? attempt(() => parseJson(bytes.toString('utf8'))) : undefined;
  const place = attempt(() => placeOf(raw));
  const payload = sampleOf(raw, place?.monitor ?? { window: 0 }, newestUsage);
  const { session } = payload;
  const view = place && session !== null ? readView(place.root, session) : undefined;
  const shown = { payload, view, levels: place?.monitor.levels ?? LEVELS, now: Date.now() };
  const text = (one: Shown) => (asked.json ? toJson(answerOf(one, asked)) : statusLine(one, asked));
  // A view may be of another version, or damaged.
  print(attempt(() => text(shown)) ?? text({ ...shown, view: undefined }));
  if (asked.with !== undefined) print(await besides(asked.with, bytes));
  const kind = place && attempt(() => record(place, payload));
  attempt(() => done(kind ?? PRINTED));
  // Skips the teardown of the process.
  (process as unknown as { reallyExit(code: number): never }).reallyExit(0);
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined; // the line matters more
  }
}

type Place = NonNullable<ReturnType<typeof placeOf>>;

/** Undefined outside of a project. */
function placeOf(raw: unknown) {
  const { workspace, cwd: said } = fieldsIn(raw);
  const { project_dir, current_dir } = fieldsIn(workspace);
  const dir = projectOfClient(projectDir({ cwd: project_dir ?? current_dir ?? said }));
  if (!existsSync(`${dir}/.ben10`) || isNoProject(dir)) return undefined;
  const config = readHookConfigFile(`${dir}/.ben10`)?.config;
  const settings = callSettings(config);
  // Whether the rules of redaction are known.
  const isCompiled = config !== undefined || !isConfigured(dir);
  const { window, levels } = fieldsIn(fieldsIn(config).monitor);
  const monitor = {
    window: typeof window === 'number' ? window : 0,
    levels: { ...LEVELS, ...fieldsIn(levels) } as Shown['levels'],
  };
  return { dir, root: storageIn(dir, settings.storage), settings, monitor, isCompiled };
}

function answerOf(shown: Shown, asked: Asked) {
  const { sample } = shown.payload;
  const view: Partial<MonitorView> = shown.view ?? {};
  const { compactAt = null, forecast = null, issue = null, phase = null, checkpoint = null } = view;
  return {
    percent: sample.percent,
    level: levelShown(shown),
    source: sample.percent === null ? null : sample.via,
    window: sample.window,
    tokens: sample.tokens,
    ...{ compactAt, forecast, issue, phase, checkpoint },
    text: statusLine(shown, { ...asked, isColoured: false }),
  };
}

/**
 * Appends what the client said, if it is news. What is only near is no measurement.
 * @returns undefined if nothing was appended
 */
function record(place: Place, { sample, session }: Payload): number | undefined {
  const { tokens, percent, isRough, ...known } = sample;
  const { dir, root, settings, isCompiled } = place;
  if (session === null || percent === null || isRough) return undefined;
  if (!settings.autoSave || !isCompiled) return undefined;
  const data: ContextSampled = { ...known, percent, ...(tokens !== null && { tokens }) };
  const text = JSON.stringify(data);
  const last = `${viewFile(root, session)}.said`;
  if (attempt(() => readFileSync(last, 'utf8')) === text) return undefined;
  const way = append(dir, settings, (recorder) =>
    recorder.ownEvent('context.sampled', session, data, 'hook'),
  );
  ensureDir(nodeFs, `${root}/monitor`, { durable: false });
  writeFileSync(last, text, { mode: 0o600 });
  return way;
}

/** Another status line on the same stdin. */
async function besides(command: string, input: Buffer): Promise<string> {
  const { runShell } = await import('../platform/programs/shell.ts');
  const chunks: Buffer[] = [];
  const quiet = process.platform === 'win32' ? command : `{ ${command}\n} 2>/dev/null`;
  try {
    await runShell(quiet, {
      cwd: process.cwd(),
      env: process.env,
      timeoutMs: WITH_MS,
      signal: new AbortController().signal,
      printed: (chunk) => chunks.push(chunk),
      input,
    });
  } catch {
    return ''; // there is no shell
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, WITH_BYTES_MAX).trimEnd();
}

/** Nobody may read it any more. */
function print(line: string): void {
  if (line !== '') attempt(() => writeSync(1, `${line}\n`));
}

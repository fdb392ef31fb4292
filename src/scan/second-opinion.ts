import { isAllowed, type RedactionOptions } from '../capture/redaction/index.ts';
import type { Describe, Finding } from './finding.ts';
import type { FileFinding, Searched } from './scan-files.ts';

/** A secret that only secretlint's recommended preset finds. */
export interface SecondFinding extends Finding {
  file: string;
  /** From 1; columns in UTF-16 units. */
  line: number;
  column: number;
}

/** Searches one text, without repeating `own` findings. Undefined when it failed. */
type SecondOpinion = (
  searched: Searched,
  own: readonly FileFinding[],
  describe: Describe,
) => Promise<SecondFinding[] | undefined>;

/** File names that matter to secretlint's rules; it gets no others, and fails on some. */
const KNOWN_NAMES = ['package.json', 'package-lock.json', '.npmrc'];
const ANY_NAME = 'text';

/** secretlint, loaded on demand. Its messages and errors are never shown, because they may quote the secret. @param options allowed texts */
export async function loadSecondOpinion(options: RedactionOptions): Promise<SecondOpinion> {
  const loaded = await guarded(() =>
    Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
    ]),
  );
  if (loaded === undefined) return async () => undefined;
  const [{ lintSource }, preset] = loaded;
  const rules = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset.creator }];
  return async ({ file, text }, own, describe) => {
    const filePath = KNOWN_NAMES.find((name) => file.endsWith(name)) ?? ANY_NAME;
    const result = await guarded(() =>
      lintSource({
        source: { content: text, filePath, ext: '', contentType: 'text' },
        options: { config: { rules }, noPhysicFilePath: true, maskSecrets: true },
      }),
    );
    if (result === undefined) return undefined;
    const { messages } = result;
    const starts = lineStarts(text);
    const spans = own.map(({ line, column, length }) => {
      const start = (starts[line - 1] ?? 0) + column - 1;
      return { start, end: start + length };
    });
    return messages.flatMap(({ ruleId, range: [start, end] }) => {
      if (spans.some((span) => start < span.end && span.start < end)) return [];
      const secret = text.slice(start, end);
      if (isAllowed(secret, options)) return [];
      const found = describe(nameOf(ruleId), secret);
      return [{ ...found, file, ...placeOf(start, starts) }];
    });
  };
}

const nameOf = (ruleId: string): string => ruleId.replace(/^.*secretlint-rule-/, '').toUpperCase();

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeOf(at: number, starts: readonly number[]): { line: number; column: number } {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
}

/** Runs foreign code; undefined when it throws, rejects, or leaves an unhandled error. Call it while nothing else runs in the process. */
export async function guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
  let hasFailed = false;
  const fail = () => {
    hasFailed = true;
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    const result = await work();
    await afterCallbacks();
    return hasFailed ? undefined : result;
  } catch {
    await afterCallbacks();
    return undefined;
  } finally {
    process.off('uncaughtException', fail);
    process.off('unhandledRejection', fail);
  }
}

/** Waits until callbacks ran and their rejections were reported. */
const afterCallbacks = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

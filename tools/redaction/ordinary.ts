import path from 'node:path';
import { compileRedaction, findSecrets } from '../../src/capture/redaction/index.ts';
import {
  filesOf,
  generatedLines,
  gitLogs,
  type OrdinaryText,
} from '../../tests/capture/redaction/corpus/ordinary-text.ts';

/** Marked lines among ordinary ones. */
const GOAL = 1 / 10_000;
const LINES_EACH = 60_000;
/** Fewer lines prove nothing. */
const LINES_MIN = 100_000;
/** What holds made-up secrets, or describes them; `dist/` has all of it again, as it is built. */
const ABOUT_SECRETS = /^dist\/|redaction|capture\/|scan|fixtures|node_modules|security|erasure/;

/** The same of the history, as git is told what to leave out. */
const SOURCES_ABOUT_SECRETS = [':!src/capture', ':!src/scan', ':!src/erasure'];

function* texts(root: string, dirs: readonly string[]): Generator<OrdinaryText> {
  if (dirs.length === 0) {
    yield generatedLines(LINES_EACH);
    yield* gitLogs(root, LINES_EACH, ['src', ...SOURCES_ABOUT_SECRETS]);
    yield* filesOf(root, LINES_EACH, ABOUT_SECRETS);
    yield* filesOf(path.join(root, 'node_modules'), LINES_EACH * 4, /^\.cache/);
  }
  for (const dir of dirs) yield* filesOf(path.resolve(dir), Number.POSITIVE_INFINITY, /(?!)/);
}

/** Prints which rules mark ordinary lines, and where. */
export function printOrdinary(
  root: string,
  dirs: readonly string[],
): { ok: boolean; figure: string } {
  const { options } = compileRedaction();
  const rules = new Map<string, number>();
  let lines = 0;
  let marked = 0;
  let chars = 0;
  let ms = 0;
  for (const { name, text } of texts(root, dirs)) {
    lines += text.split('\n').length;
    chars += text.length;
    const started = performance.now();
    const found = findSecrets(text, options);
    ms += performance.now() - started;
    const places = new Set<number>();
    for (const { start, id } of found) {
      const line = text.slice(0, start).split('\n').length;
      if (!places.has(line)) console.log(`${id.padEnd(24)} ${path.relative(root, name)}:${line}`);
      places.add(line);
      rules.set(id, (rules.get(id) ?? 0) + 1);
    }
    marked += places.size;
  }
  console.log(
    [...rules]
      .sort((a, b) => b[1] - a[1])
      .map(([id, times]) => `${id} ${times}`)
      .join(', '),
  );
  const perTenThousand = ((10_000 * marked) / lines).toFixed(2);
  console.log(`${marked} of ${lines} lines marked: ${perTenThousand} in 10,000 (goal 1)`);
  console.log(
    `${(chars / 1e6).toFixed(1)} MB in ${ms.toFixed(0)} ms: ${(chars / 1e3 / ms).toFixed(0)} MB/s`,
  );
  return {
    ok: lines >= LINES_MIN && marked / lines <= GOAL,
    figure: `ordinary lines marked ${marked} of ${lines}`,
  };
}

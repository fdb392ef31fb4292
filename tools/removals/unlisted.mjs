import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { edited, ROOT } from './bundle.mjs';
import { NO_STEPS } from './steps/none.mjs';

/** Lines that make something durable, compare a sum, a digest or a chain with what is stored, or work under a lock. */
const SIGNS = [
  /\.(?:data|f)sync\(|\bf(?:data)?syncSync\(|\.syncDir\(|\bsyncFolders\(|\bsyncLayout\(|\bsync\(/,
  /\b(?:durable|flush): true/,
  /[cC]hecksum\b.*(?:[!=]==|return)|[!=]== .*(?:[cC]hecksum|sum\b|readBigU64)|\bsum [!=]==|xxh64\(.*[!=]==/,
  /\.equals\(/,
  /nameOf\(.*===/,
  // A digest that was noted, and what is found now.
  /(?:tail|chain|hash)\b.* [!=]== (?:(?!undefined|null)[\w.#]*)?(?:tail|chain|hash)|sha256\(.*[!=]==/i,
  /\.hold\(|\bwithLocks?\(|\.#locked\(|\.tryLock\(/,
];
/** Declarations and imports, what is said about a line, and what is no sum: magic numbers, reserved bytes. */
const NO_WORK =
  /^\s*(?:\*|\/\/|\/\*|import\b|export (?:function|const)\b|function\b|readonly\b|#\w+\(.*\{$)|_MAGIC\b|isZero\(/;

function sources() {
  return readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll(path.sep, '/'));
}

/** Which lines of a text some edits touch, from 0. */
function touched(text, edits) {
  const lines = new Set();
  for (const { from } of edits) {
    const start = text.indexOf(from);
    if (start === -1) continue;
    const first = text.slice(0, start).split('\n').length - 1;
    for (const [index] of from.split('\n').entries()) lines.add(first + index);
  }
  return lines;
}

/** Steps whose text is not in the sources as it was: somebody changed it and not the step. */
export function outdated(steps) {
  return steps.flatMap(({ name, edits }) => {
    try {
      for (const file of new Set(edits.map((edit) => edit.file))) {
        const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
        edited(
          file,
          text,
          edits.filter((edit) => edit.file === file),
        );
      }
      return [];
    } catch (error) {
      return [`${name}: ${error.message}`];
    }
  });
}

/**
 * Lines of the sources that look like a safety step and are in no step's text: somebody added one and not a step. Also
 * reasons in `none.mjs` whose line is not there any more.
 * @returns {string[]} `file: line`
 */
export function unlisted(steps) {
  const found = [];
  const used = new Set();
  const edits = steps.flatMap((one) => one.edits);
  for (const file of sources()) {
    const text = readFileSync(path.join(ROOT, 'src', file), 'utf8');
    const own = touched(
      text,
      edits.filter((edit) => edit.file === file),
    );
    for (const [index, line] of text.split('\n').entries()) {
      if (own.has(index) || NO_WORK.test(line) || !SIGNS.some((sign) => sign.test(line))) continue;
      const reason = NO_STEPS.find((one) => one.file === file && line.trim() === one.line);
      if (reason === undefined) found.push(`${file}: ${line.trim()}`);
      else used.add(reason);
    }
  }
  for (const one of NO_STEPS)
    if (!used.has(one)) found.push(`${one.file}: ${one.line} (has a reason, and is not there)`);
  return found;
}

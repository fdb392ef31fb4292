// The names of an invented project: topics, files, values. Each fact has its own, so that none is evidence for another.
import { shuffled } from '../lib/random.mjs';

/** Where every generated session is said to have happened. */
export const CWD = '/home/dev/project';
/** Beside each real name stand decoys that differ in one part. */
const DECOYS = [
  'staging',
  'legacy',
  'mock',
  'draft',
  'shadow',
  'bulk',
  'beta',
  'proxy',
  'trial',
  'spare',
  'dummy',
  'second',
];
const ENDINGS = [
  'entries',
  'rows',
  'items',
  'journal',
  'refs',
  'keys',
  'idx',
  'main',
  'aux',
  'map',
  'slots',
  'pairs',
];
const EXAMPLE_MAX = 980;
const EXAMPLE_MIN = 12;

export const pick = (list, random) => list[Math.floor(random() * list.length)];
export const whole = (min, max, random) => min + Math.floor(random() * (max - min + 1));

/** Puts values into a sentence's `{slots}`; a value may have slots itself. */
export function fill(text, values) {
  const filled = text.replace(/\{(\w+)\}/g, (slot, name) => values[name] ?? slot);
  return filled === text ? text : fill(filled, values);
}

/** A measured value, never a round one. @param counted what is counted has no fractions */
export function measured(random, counted = false) {
  const value = whole(103, 9989, random);
  const odd = value % 10 === 0 ? value + 7 : value;
  return counted || random() < 0.4 ? String(odd) : (odd / 10).toFixed(1);
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** The names of one topic. */
function names(noun, act, root, ending, random) {
  const stem = `${noun}_${act}`;
  return {
    topic: `${noun} ${act}`,
    stem,
    name: capital(noun) + capital(act),
    dir: `${root}/${noun}/${act}`,
    path: `${root}/${noun}/${stem}.${ending}`,
    ending,
    n: String(whole(EXAMPLE_MIN, EXAMPLE_MAX, random)),
  };
}

/**
 * Topics one after the other, none twice.
 * @yields the topic's names, `near()` for the names of a decoy beside it, and `others(n)` for similar identifiers
 */
export function* topics(pool, random) {
  const pairs = pool.nouns.flatMap((noun) => pool.acts.map((act) => [noun, act]));
  for (const [noun, act] of shuffled(pairs, random)) {
    const root = pick(pool.roots, random);
    const ending = pick(pool.endings, random);
    const decoys = shuffled(DECOYS, random);
    const endings = shuffled(ENDINGS, random);
    let next = 0;
    const near = () => {
      const decoy = decoys[next % decoys.length];
      next += 1;
      return names(noun, decoy, root, ending, random);
    };
    const others = (count) => endings.slice(2, 2 + count).map((end) => `${noun}_${act}_${end}`);
    const right = `${noun}_${act}_${endings[0]}`;
    const wrong = `${noun}_${act}_${endings[1]}`;
    yield { ...names(noun, act, root, ending, random), right, wrong, near, others };
  }
}

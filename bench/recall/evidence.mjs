// When a planted fact counts as given back: its evidence stands in the text, close together. A mention, an id or an event's
// number is no evidence.
import { CWD } from './world.mjs';

/** Within so many characters words belong to the same fact. */
const WINDOW_CHARS = { rule: 320, correction: 320, number: 260, decision: 420, error: 420 };
/** Around a command its exit code is looked for: after it, and shortly before it. */
const EXIT_AFTER_CHARS = 220;
const EXIT_BEFORE_CHARS = 40;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Without marks, and with paths as they are said from the project's folder. */
const plain = (text) =>
  text
    .replaceAll(`${CWD}/`, '')
    .replace(/[`*"“”]/g, '')
    .replace(/\s+/g, ' ');

/** Where a word, a name or a phrase stands by itself, whatever its case; a number may have its unit attached. */
function placesOf(text, needle) {
  const bare = escaped(plain(needle));
  const word = /^[\d.]+$/.test(needle)
    ? new RegExp(`(?<![\\w.])${bare}(?!\\d|\\.\\d)`, 'g')
    : new RegExp(`(?<![\\w/-])${bare}(?![\\w/-]|\\.\\w)`, 'gi');
  return [...text.matchAll(word)].map(({ index }) => index);
}

/** The least distance in which each of the needles stands at least once; Infinity when one is missing. */
export function closest(text, needles) {
  const flat = plain(text);
  const all = needles.map((needle) => placesOf(flat, needle));
  if (all.some((places) => places.length === 0)) return Number.POSITIVE_INFINITY;
  const marks = all.flatMap((places, which) => places.map((at) => ({ at, which })));
  marks.sort((a, b) => a.at - b.at);
  const last = new Map();
  let least = Number.POSITIVE_INFINITY;
  for (const { at, which } of marks) {
    last.set(which, at);
    if (last.size === needles.length) least = Math.min(least, at - Math.min(...last.values()));
  }
  return least;
}

/** An exit code as texts say it. 0 may also be said in words. */
function saysExit(text, exit) {
  const code = new RegExp(
    `(?:exit(?:ed)?|code|status|rc|returned|→|=>)\\W{0,3}(?:with |code |status )*${exit}(?!\\d|\\.\\d)`,
    'i',
  );
  return code.test(text) || (exit === 0 && /\b(?:ok|passed|succeeded|success)\b/i.test(text));
}

function commandAndExit(text, { command, exit }) {
  const flat = plain(text);
  const bare = plain(command);
  return placesOf(flat, command).some((at) => {
    const after = flat.slice(at + bare.length, at + bare.length + EXIT_AFTER_CHARS);
    const next = after.search(/(?:exit(?:ed)?|code)\W{0,3}\d/i);
    const own = next < 0 ? after : after.slice(0, next + 20);
    return (
      saysExit(own, exit) || saysExit(flat.slice(Math.max(0, at - EXIT_BEFORE_CHARS), at), exit)
    );
  });
}

/**
 * @param fact `evidence` is a path (`{ path }`), a command with its exit code (`{ command, exit }`), or words that must
 *   stand close together (`{ words }`): a rule's decisive ones, a number and what it measures, an error and what mended it
 */
export function isGivenBack(text, { kind, evidence }) {
  if (evidence.path !== undefined) return placesOf(plain(text), evidence.path).length > 0;
  if (evidence.command !== undefined) return commandAndExit(text, evidence);
  return closest(text, evidence.words) <= WINDOW_CHARS[kind];
}

/** The least text that would count: for the oracle. */
export function leastText({ evidence }) {
  if (evidence.path !== undefined) return evidence.path;
  if (evidence.command !== undefined) return `${evidence.command} → exit ${evidence.exit}`;
  return evidence.words.join(' ');
}

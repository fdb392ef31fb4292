// What else a session could go on from.
import { partsOf } from '../recall/transcript.mjs';

/** A handoff's longest. */
const CHARS = 8000;
const LAST = 10;

const SAID = new Set(['prompt', 'text']);
const lineOf = ({ kind, name, input, text }) =>
  kind === 'call' ? `${name} ${input?.file_path ?? input?.command ?? ''}` : text;

const tail = (parts) => parts.map(lineOf).join('\n').slice(-CHARS);

/** @returns texts by name */
export function peersOf({ before, summary }, { edits, commands }) {
  const parts = before.flatMap(partsOf);
  const said = parts.filter(({ kind }) => SAID.has(kind));
  const withCalls = parts.filter(({ kind }) => SAID.has(kind) || kind === 'call');
  const files = [...new Set(edits.toReversed())].slice(0, LAST);
  const runs = [...commands.values()].map(({ command }) => command).slice(-LAST);
  return {
    'last words': tail(said),
    'with calls': tail(withCalls),
    'last 10 + 10': [...files, ...runs].join('\n'),
    ...(summary !== undefined && { summary, 'summary cut': summary.slice(0, CHARS) }),
  };
}

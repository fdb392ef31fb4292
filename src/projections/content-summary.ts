import { headOf } from './bounds.ts';

export const SUMMARY_CHARS = 120;
const LOOKED_AT_CHARS = 8_000;
const NAMES_MAX = 12;
const LINES_MAX = 2;

const NAMED: readonly [RegExp, RegExp][] = [
  [
    /\.[cm]?[jt]sx?$/,
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) ([\w$]{1,60})/gm,
  ],
  [/\.pyi?$/, /^(?:async def|def|class) ([a-zA-Z]\w{0,59})/gm],
  [/\.go$/, /^func (?:\([^()\n]{1,60}\) )?([A-Z]\w{0,59})/gm],
  [/\.rs$/, /^pub (?:async )?(?:fn|struct|enum|trait|type|const) (\w{1,60})/gm],
];
/** Lines that say nothing about a file. */
const EMPTY = /^(?:[^\p{L}\p{N}]*$|#!|['"]use strict|(?:import|from|package|using)\b)/u;

/** What a file is about: the names that it exports, else its first lines. */
export function contentSummary(path: string, text: string): string {
  const start = text.slice(0, LOOKED_AT_CHARS);
  const names = namesIn(path, start);
  if (names.size > 0) return headOf(`exports ${[...names].join(', ')}`, SUMMARY_CHARS);
  const lines: string[] = [];
  for (let from = 0; from < start.length && lines.length < LINES_MAX; ) {
    const end = start.indexOf('\n', from);
    const line = start.slice(from, end === -1 ? undefined : end).slice(0, 400);
    if (!EMPTY.test(line.trim())) lines.push(line.trim());
    from = end === -1 ? start.length : end + 1;
  }
  return headOf(lines.join(' / ').replace(/\s+/g, ' '), SUMMARY_CHARS);
}

function namesIn(path: string, text: string): Set<string> {
  const names = new Set<string>();
  const [, pattern] = NAMED.find(([end]) => end.test(path)) ?? [];
  if (pattern === undefined) return names;
  for (const [, name] of text.matchAll(pattern)) {
    names.add(name!);
    if (names.size === NAMES_MAX) break;
  }
  return names;
}

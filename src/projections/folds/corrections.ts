import { compileOnce } from '../../platform/machine-code.ts';
import { isForeignCorrection } from './foreign-rules.ts';

/**
 * Tells corrections by rules of thumb: sentences by which a user takes back or puts right what was just done. One is known by how it
 * starts; a question is none. Rules (`rules.ts`) are told first: `no mocks` is one.
 */
const CORRECTION =
  /^(?:(?:no+|nope)(?:[,.!:;]|\s+[–—-])|wrong\b|not (?:like )?(?:that|this)\b|(?:that|this|it)(?:'s| is| was)(?: (?:still|just|plain))? (?:wrong|not (?:right|correct|what|how|the))\b|(?:that|this|it) (?:isn't|wasn't) (?:right|correct|what|how|the)\b|you (?:forgot|missed|ignored|overlooked|misunderstood|misread|shouldn't have|should(?: not)? have|weren't supposed|were (?:not )?supposed)\b|(?:as )?i (?:already |just )?(?:said|told you|asked (?:you )?(?:for|to|not)|meant|wanted)\b|(?:please )?(?:undo|revert) (?:that|this|it|your)\b|instead of that\b|actually,? (?:no|don't|do not|use|keep|make)\b)/;
const LONG = [CORRECTION];

/** @param sentence of a user's prompt, at most some hundred characters */
export function isCorrection(sentence: string): boolean {
  compileOnce(LONG);
  const line = sentence.trim().replaceAll('’', "'").toLowerCase();
  return !line.endsWith('?') && (CORRECTION.test(line) || isForeignCorrection(line));
}

/** Programs that people ask an agent to use, or not to; names that are plain words as well count in backticks alone. */
const TOOL =
  /\b(?:p?npm|yarn|bunx?|deno|npx|pip[3x]?|uv|poetry|conda|cargo|gradlew?|mvn|cmake|vitest|jest|mocha|pytest|playwright|cypress|eslint|biome|prettier|ruff|mypy|tsc|clippy|rg|ripgrep|grep|esbuild|vite|webpack|rollup|docker|podman|kubectl|terraform|gh)\b|`(?:go|make|just|git|find|fd|black|node|python3?|curl|sed|awk|tap)\b/i;
const USING = /\b(?:us(?:e|ing)|prefer|run|with|via|through|install|call|avoid)\b/i;

/** Whether a rule is about which tool to use. */
export const isAboutTool = (rule: string): boolean => TOOL.test(rule) && USING.test(rule);

import { compileOnce } from '../../platform/machine-code.ts';
import { joinedWhere } from '../bounds.ts';
import { isRequest } from '../clauses.ts';
import { isForeignCorrection } from './foreign-rules.ts';
import { isRule } from './rules.ts';

/** Heuristics for sentences in which a user rejects or corrects the agent: known by their start, never a question. */
const CORRECTION =
  /^(?:(?:no+|nope)(?:[,.!:;]|\s+[–—-])|wrong\b|not (?:like )?(?:that|this)\b|(?:that|this|it)(?:'s| is| was)(?: (?:still|just|plain))? (?:wrong|not (?:right|correct|what|how|the))\b|(?:that|this|it) (?:isn't|wasn't) (?:right|correct|what|how|the)\b|you (?:forgot|missed|ignored|overlooked|misunderstood|misread|shouldn't have|should(?: not)? have|weren't supposed|were (?:not )?supposed)\b|(?:as )?i (?:already |just )?(?:said|told you|asked (?:you )?(?:for|to|not)|meant|wanted)\b|(?:please )?(?:undo|revert) (?:that|this|it|your)\b|instead of that\b|actually,? (?:no|don't|do not|use|keep|make)\b)/;
const LONG = [CORRECTION];

/** @param sentence of a user's prompt, some hundred characters at most */
export function isCorrection(sentence: string): boolean {
  compileOnce(LONG);
  const line = sentence.trim().replaceAll('’', "'").toLowerCase();
  return !line.endsWith('?') && (CORRECTION.test(line) || isForeignCorrection(line));
}

/** Programs that people name in rules; those that are plain words count only in backticks. */
const TOOL =
  /\b(?:p?npm|yarn|bunx?|deno|npx|pip[3x]?|uv|poetry|conda|cargo|gradlew?|mvn|cmake|vitest|jest|mocha|pytest|playwright|cypress|eslint|biome|prettier|ruff|mypy|tsc|clippy|rg|ripgrep|grep|esbuild|vite|webpack|rollup|docker|podman|kubectl|terraform|gh)\b|`(?:go|make|just|git|find|fd|black|node|python3?|curl|sed|awk|tap)\b/i;
const USING = /\b(?:us(?:e|ing)|prefer|run|with|via|through|install|call|avoid)\b/i;

export const isAboutTool = (rule: string): boolean => TOOL.test(rule) && USING.test(rule);

/** `Wrong guess.`, `ne, kein regex.`: says that something is wrong, not what. */
const OUTCRY_WORDS = 4;
const CORRECTED_CHARS = 300;

/** Joins each outcry with the sentence behind it, which says what is right. */
export function withOutcries(sentences: readonly string[]): string[] {
  return joinedWhere(sentences, (before, sentence) =>
    isOutcry(before) && goesOn(before, sentence)
      ? `${before}${/[。！？]$/.test(before) ? '' : ' '}${sentence}`
      : undefined,
  );
}

const isOutcry = (sentence: string): boolean =>
  isCorrection(sentence) && sentence.split(/\s+/, OUTCRY_WORDS + 1).length <= OUTCRY_WORDS;

const goesOn = (before: string, sentence: string): boolean =>
  before.length + sentence.length < CORRECTED_CHARS &&
  !/[?？]\s*$/.test(sentence) &&
  !isRule(sentence) &&
  !isCorrection(sentence) &&
  !isRequest(sentence);

import { RULES } from '../table/rules.ts';
import { keywordLine } from './prefilter.ts';

/** The keywords of all rules, each once, a line each. The build makes a constant of it for hooks, which have no rules. */
export const KEYWORDS: string = [
  ...new Set(
    RULES.flatMap(({ keywords, kind }) => keywords.map((text) => keywordLine({ text, kind }))),
  ),
].join('\n');

import { getEncoding } from 'js-tiktoken';
import type { Tokenizer } from '../../src/packs/render/tokens.ts';

const ORACLES = { cl100k: getEncoding('cl100k_base'), o200k: getEncoding('o200k_base') };

/** By another program. */
export const tokensOf = (text: string, tokenizer: Tokenizer = 'cl100k'): number =>
  ORACLES[tokenizer].encode(text, [], []).length;

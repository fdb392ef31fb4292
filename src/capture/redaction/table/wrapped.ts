import { expression } from '../expression.ts';
import type { NamedSpan } from '../rule.ts';
import { tokenAt } from './token-at.ts';

/** How much of a base64 text is decoded to see what it holds, characters: a whole token of most kinds. */
const DECODED_CHARS_MAX = 4096;

const BASE64 = expression('(?:[A-Za-z0-9+/]|\\/){20}(?:[A-Za-z0-9+/]|\\/)*={0,2}', 'y');
/** Of a PEM block there may be many lines; `base64` wraps them. */
const WRAPPED_LINES = /(?:(?:\\n|\r?\n)[A-Za-z0-9+/]{1,76}={0,2}(?![A-Za-z0-9+/=:_.-]))*/y;
const PEM_START = expression('^-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY');

/**
 * A private key or a token of the table, in base64, as Kubernetes and kubeconfig files keep them: only what begins with
 * the one or the other.
 */
export function wrappedAt(text: string, at: number): NamedSpan | undefined {
  BASE64.lastIndex = 0;
  const run = BASE64.exec(text.slice(at, at + DECODED_CHARS_MAX));
  if (run === null) return undefined;
  const plain = Buffer.from(run[0].replaceAll('\\', ''), 'base64').toString('latin1');
  if (PEM_START.test(plain)) return { start: at, end: endOfRun(text, at, true), id: 'PRIVATE-KEY' };
  const token = tokenAt(plain, 0);
  if (token === undefined || token.id === '') return undefined;
  return { start: at, end: endOfRun(text, at, false), id: token.id };
}

function endOfRun(text: string, at: number, lines: boolean): number {
  BASE64.lastIndex = at;
  BASE64.test(text);
  if (!lines) return BASE64.lastIndex;
  WRAPPED_LINES.lastIndex = BASE64.lastIndex;
  WRAPPED_LINES.test(text);
  return WRAPPED_LINES.lastIndex;
}

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { placesOf } from '../../../src/capture/redaction/places.ts';
import { mayHoldSecret } from '../../../src/capture/redaction/redact.ts';
import { filesOf, generatedLines, gitLogs } from './corpus/ordinary-text.ts';

const { options } = compileRedaction();
const ROOT = path.resolve(import.meta.dirname, '../../..');

/** What is about secrets is full of their signs. */
const OF_SECRETS = /redaction|secret/;
const PACKAGES_SKIPPED = /(?:^|\/)\.|secretlint/;

const texts = {
  'hashes, pictures, logs and lock files': [generatedLines(20_000)],
  'packages: code, JSON and prose': [...filesOf(`${ROOT}/node_modules`, 60_000, PACKAGES_SKIPPED)],
  'code of the program': [...filesOf(`${ROOT}/src`, 1_000_000, OF_SECRETS)],
  'code of its tests': [...filesOf(`${ROOT}/tests`, 1_000_000, OF_SECRETS)],
  'git log': [...gitLogs(ROOT, 300_000, ['src/journal', 'src/cli'])],
};

/** Pieces overlap, so that the share does not hang on where in a text the cuts happen to be. */
const STEP_CHARS = 4 * 1024;

/** Of pieces without a secret, the share for which all rules are asked: a hook loads them only then. */
function needless(text: string, chars: number): number {
  let pieces = 0;
  let asked = 0;
  for (let at = 0; at < text.length; at += STEP_CHARS) {
    const piece = text.slice(at, at + chars);
    const { first } = options;
    const isAsked = first !== undefined && mayHoldSecret(piece, placesOf(piece), first);
    if (isAsked && redactText(piece, options).text !== piece) continue;
    pieces += 1;
    asked += isAsked ? 1 : 0;
  }
  return asked / pieces;
}

describe('the second stage', () => {
  it.each(Object.entries(texts))('is seldom asked for in vain: %s', (_, ordinary) => {
    const text = ordinary.map((one) => one.text).join('\n');
    // Without a history there is no log.
    if (text === '') return;
    // A tool call's output as most are, and a long one.
    expect(needless(text, 4 * 1024)).toBeLessThan(0.02);
    expect(needless(text, 64 * 1024)).toBeLessThan(0.15);
  });

  it.each([
    'objectProperty(key, value, computed)',
    "params.set('token', request.token)",
    '{ key: string, value: Token }',
    'function isKeyword(word, inModule)',
    'the URL identified by `_endpoint`',
    "word.replace(/'([^']*)'/g, '$1$2$3')",
    'this machine has no secrets',
    '<Card>a</Card>',
    'key: 1, value: { token: 2 }',
    '| foo | baz | bar -p x',
    'to report a security vulnerability write to us -p x',
  ])('is not asked for: %s', (text) => {
    expect(mayHoldSecret(text, placesOf(text), options.first ?? { rules: [] })).toBe(false);
  });

  it('is not asked for by an option that stands far behind a command', () => {
    const text = `curl ${'x '.repeat(500)} -u a:b`;
    expect(mayHoldSecret(text, placesOf(text), options.first ?? { rules: [] })).toBe(false);
  });
});

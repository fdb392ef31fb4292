import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import { withoutKnown } from '../../../src/capture/redaction/known-values.ts';
import { placesOf } from '../../../src/capture/redaction/places.ts';

const { options } = compileRedaction();
const TOKEN = ['gh', 'p_', 'q7Xk2Lm9'.repeat(5).slice(0, 36)].join('');

/** How many labels are left to be looked at once the token was found. */
function labelsLeft(text: string): number {
  const start = text.indexOf(TOKEN);
  const tokens = start < 0 ? [] : [{ start, end: start + TOKEN.length }];
  const left = withoutKnown(text, placesOf(text), tokens);
  return left.at(KIND.secret).length + left.at(KIND.password).length;
}

describe('a label whose value is known', () => {
  it.each([
    `GITHUB_TOKEN=${TOKEN}\nNEXT=1`,
    `token: ${TOKEN}`,
    `{"token": "${TOKEN}", "a": 1}`,
    `token='${TOKEN}'`,
    'TOKEN=[REDACTED:GITHUB-TOKEN] and more',
    '"password": "[REDACTED:PASSWORD]"',
  ])('is not looked at again: %s', (text) => {
    expect(labelsLeft(text)).toBe(0);
  });

  it.each([
    `TOKEN=${TOKEN}+more`,
    `TOKEN=${TOKEN} more`,
    `"token": "${TOKEN}""more"`,
    `token='${TOKEN}-'`,
    `token = getToken() # ${TOKEN}`,
    'TOKEN=x[REDACTED:GITHUB-TOKEN]',
  ])('is looked at where the value may go on, or another one stands there: %s', (text) => {
    expect(labelsLeft(text)).toBe(1);
  });

  it('leaves to the label what is more than the token', () => {
    expect(redactText(`TOKEN=${TOKEN}\n`, options)).toEqual({
      text: 'TOKEN=[REDACTED:GITHUB-TOKEN]\n',
      counts: { 'GITHUB-TOKEN': 1 },
    });
    for (const [before, behind] of [
      ['TOKEN=', '+q7Xk2Lm9w4\n'],
      ['"token": "', '+q7Xk2Lm9w4"'],
    ]) {
      const { text } = redactText(`${before}${TOKEN}${behind}`, options);
      expect(text).not.toContain('q7Xk2Lm9');
    }
  });

  it('is looked at where a configuration allows its token', () => {
    const { options: own } = compileRedaction({ allow: [TOKEN] });
    const text = `TOKEN=${TOKEN}`;
    expect(redactText(text, own)).toEqual({ text, counts: {} });
    expect(redactText(`${text}\nPASSWORD=${TOKEN}x9\n`, own).text).not.toContain(`${TOKEN}x9`);
  });
});

import { describe, expect, it } from 'vitest';
import { compileRedaction, redactValue } from '../../src/capture/redaction/index.ts';
import { describer } from '../../src/scan/finding.ts';
import { scanValue } from '../../src/scan/scan-value.ts';
import { BASE62, chars, seeded } from '../capture/redaction/samples.ts';

const { options } = compileRedaction();
const random = seeded(11);
const secret = `x9${chars(random, BASE62, 14)}`;
const token = `ghp_${chars(random, BASE62, 36)}`;

const scan = (value: unknown) =>
  [...scanValue(value, options, describer())].map(
    ({ rule, path, length }) => `${rule} ${path} ${length}`,
  );

describe('scanning a value', () => {
  it('finds what stands in a text, under a telling key, and in a key', () => {
    expect(scan({ a: [{ b: `x ${token}` }] })).toEqual(['GITHUB-TOKEN a[0].b 40']);
    expect(scan({ password: secret })).toEqual([`PASSWORD password ${secret.length}`]);
    expect(scan({ [token]: { c: `y ${token}` } })).toEqual([
      'GITHUB-TOKEN … 40',
      'GITHUB-TOKEN ….c 40',
    ]);
    expect(scan({ a: 'nothing', b: [1, null, 'x'] })).toEqual([]);
  });

  it('finds whatever redaction takes out: what a text beside it tells, too', () => {
    const told = [
      { name: 'DB_PASSWORD', value: secret },
      ['--password', secret],
      { password: [secret] },
      { lines: ['-- name: DB_PASSWORD', `-  value: ${secret}`] },
      { lines: ['+<private>', '+what nobody is to know', '+</private>'] },
      { kind: 'Secret', data: { user: Buffer.from(secret).toString('base64') } },
    ];
    for (const value of told) {
      expect(redactValue(value, options).value).not.toEqual(value);
      expect(scan(value)).toHaveLength(1);
    }
  });

  it('says of a path no secret that stands in a name of it', () => {
    expect(scan({ [token]: { [`${token}x y`]: `z ${token}` } }).join()).not.toContain(token);
  });

  it('takes no marker and no lone surrogate for a find', () => {
    expect(scan({ a: '[REDACTED:PASSWORD]', b: 'x\ud800y', $blob: 'z' })).toEqual([]);
  });
});

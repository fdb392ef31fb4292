import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { describer } from '../../src/scan/finding.ts';
import { loadSecondOpinion } from '../../src/scan/second-opinion.ts';
import { BASE62, chars, seeded } from '../capture/redaction/samples.ts';

const random = seeded(77);
const { options } = compileRedaction(undefined);

async function asked(file: string, text: string) {
  const ask = await loadSecondOpinion(options);
  return ask({ file, text }, [], describer());
}

describe('the second opinion', () => {
  it('says the file as it is named, whatever the name is, and the place', async () => {
    const url = `postgresql://app:${chars(random, BASE62, 12)}@db.example.org/app`;
    for (const file of ['a.env', 'a\nb.txt', '||x::start\n', '__proto__', '']) {
      expect(await asked(file, `x\nDB=${url}\n`)).toMatchObject([
        { file, rule: 'DATABASE-CONNECTION-STRING', line: 2, column: 4 },
      ]);
      expect(await asked(file, 'nothing\n')).toEqual([]);
    }
  });

  it('knows the files by name that a rule is for', async () => {
    // Recommended rules look for this one in .npmrc alone.
    const text = `//registry.example.org/:_authToken=${chars(random, '0123456789abcdef', 36)}\n`;
    for (const file of ['.npmrc', 'home/me/.npmrc', 'a\nb/.npmrc'])
      expect(await asked(file, text), file).toMatchObject([{ file, rule: 'NPM' }]);
    expect(await asked('npmrc.txt', text)).toEqual([]);
  });
});

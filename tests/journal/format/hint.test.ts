import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hintPath, NO_HINT, readHint } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { writeHint } from '../../hints.ts';
import { realPorts, scratch } from '../../support.ts';
import { edit, flipBit, withFailing } from '../support.ts';

const hint = { syncedUpto: 2 ** 40 + 7, syncedAt: 1_795_250_000_123 };
const newFile = () => path.join(scratch(), 'synced');

describe('the sync hint', () => {
  it('is overwritten in place and read back', () => {
    const file = newFile();
    writeHint(realPorts, file, { syncedUpto: 1, syncedAt: 2 });
    writeHint(realPorts, file, hint);
    expect(readHint(realPorts, file)).toEqual(hint);
    expect(readFileSync(file)).toHaveLength(32);
  });

  it('is no hint at all after any flipped bit or truncation', () => {
    const file = newFile();
    writeHint(realPorts, file, hint);
    const sound = readFileSync(file);
    for (let bit = 0; bit < 256; bit += 1) {
      writeFileSync(file, sound);
      edit(file, (bytes) => void flipBit(bytes, bit));
      expect(readHint(realPorts, file), `bit ${bit}`).toEqual(NO_HINT);
    }
    for (let length = 0; length < 32; length += 1) {
      writeFileSync(file, sound.subarray(0, length));
      expect(readHint(realPorts, file), `${length} bytes`).toEqual(NO_HINT);
    }
  });

  it('is no hint when it is absent, a folder or a link, and is not written through a link', () => {
    const dir = scratch();
    expect(readHint(realPorts, `${dir}/none`)).toEqual(NO_HINT);
    mkdirSync(`${dir}/folder`);
    expect(readHint(realPorts, `${dir}/folder`)).toEqual(NO_HINT);
    writeFileSync(`${dir}/victim`, 'untouched');
    symlinkSync(`${dir}/victim`, `${dir}/link`);
    writeHint(realPorts, `${dir}/link`, hint);
    expect(readFileSync(`${dir}/victim`, 'utf8')).toBe('untouched');
    expect(readHint(realPorts, `${dir}/link`)).toEqual(NO_HINT);
  });

  it('leaves nothing of what a disk put behind it', () => {
    const file = newFile();
    writeFileSync(file, Buffer.concat([Buffer.alloc(480), Buffer.from('of another file')]));
    writeHint(realPorts, file, hint);
    expect(readFileSync(file)).toHaveLength(32);
    expect(readHint(realPorts, file)).toEqual(hint);
  });

  it('may be impossible to write, which is no reason to fail', () => {
    const ports = withFailing('write', 'ENOSPC');
    expect(() => writeHint(ports, newFile(), hint)).not.toThrow();
    expect(() => writeHint(realPorts, path.join(scratch(), 'no/folder'), hint)).not.toThrow();
  });

  it('does not hide a mistake in the program', () => {
    const broken = withFailing('open', new TypeError('a bug'));
    expect(() => readHint(broken, newFile())).toThrow(TypeError);
    expect(() => writeHint(broken, newFile(), hint)).toThrow(TypeError);
  });

  it('stands in the folder of its origin', () => {
    expect(hintPath(layoutOf('/p/.ben10'), 'abc')).toBe('/p/.ben10/journal/abc/synced');
  });
});

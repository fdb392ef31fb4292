import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { isInGit } from '../../src/erasure/elsewhere.ts';
import { fateOf } from '../../src/erasure/redact-event.ts';
import { optionsOfRule, ruleFinder } from '../../src/erasure/rule-finder.ts';
import { textFinder } from '../../src/erasure/text-finder.ts';
import { encodeEnvelope } from '../../src/journal/format/envelope.ts';
import { openTestProject } from '../support.ts';

const SECRET = 'kanari-4711';
const finder = textFinder([SECRET]);
const texts = new Map([
  ['a'.repeat(64), `long ${SECRET} text`],
  ['b'.repeat(64), 'clean'],
]);
const blobs = { read: (name: string) => texts.get(name), write: (text: string) => `new:${text}` };
const envelope = (data: unknown, more: object = {}) =>
  encodeEnvelope({
    type: 'test.happened',
    version: 1,
    session: 's1',
    agent: null,
    client: null,
    source: 'hook',
    at: 1,
    data,
    ...more,
  });
const fate = (payload: Buffer) => fateOf(payload, finder, blobs);
const reference = (name: string) => ({ $blob: name, bytes: 5, head: 'long' });

describe('an event that may hold a secret', () => {
  it('stays where it holds none', () => {
    expect(fate(envelope({ text: 'kanari', blob: reference('b'.repeat(64)) }))).toBe('stays');
    expect(fate(envelope([reference('c'.repeat(64)), reference(''), null, 5]))).toBe('stays');
    expect(fate(Buffer.from('no envelope'))).toBe('stays');
  });

  it('is replaced by the same without it', () => {
    const { replacement } = fate(envelope({ list: [SECRET, 1], n: null })) as never as {
      replacement: object;
    };
    expect(replacement).toMatchObject({
      type: 'test.happened',
      session: 's1',
      at: 1,
      data: { list: ['[REDACTED:ERASED]', 1], n: null },
    });
  });

  it('names another blob where its own holds it', () => {
    const data = { texts: [reference('a'.repeat(64)), reference('b'.repeat(64))] };
    expect(fate(envelope(data))).toMatchObject({
      replacement: {
        data: {
          texts: [
            {
              $blob: 'new:long [REDACTED:ERASED] text',
              bytes: 27,
              head: 'long [REDACTED:ERASED] text',
            },
            reference('b'.repeat(64)),
          ],
        },
      },
    });
  });

  it('goes as a whole where the secret is a name that it is found by, or nothing can be kept apart', () => {
    expect(fate(envelope({}, { session: SECRET }))).toBe('goes');
    expect(fate(envelope({ text: SECRET }, { agent: `x ${SECRET}` }))).toBe('goes');
    expect(fate(Buffer.from(`no envelope ${SECRET}`))).toBe('goes');
  });
});

describe('a redaction rule', () => {
  const patterns = [{ id: 'ACME', pattern: 'acme-[0-9a-f]{8}' }];
  const { options } = compileRedaction({ patterns });

  it('finds what it finds now, and nothing of other rules', () => {
    const one = ruleFinder(optionsOfRule('acme', options), []);
    expect(one.withoutIt('an acme-0123abcd, password="hunter2!x"')).toBe(
      'an [REDACTED:ACME], password="hunter2!x"',
    );
    expect(one.isLike(Buffer.from('acme-0123abcd'))).toBe(true);
    expect(one.isLike(Buffer.from('acme'))).toBe(false);
    // What it was not met with stands nowhere.
    expect(one.isIn(Buffer.from('acme-0123abcd'))).toBe(false);
    const data = { a: ['none'] };
    expect(one.dataWithoutIt(data)).toBe(data);
    expect(one.dataWithoutIt({ a: ['acme-0123abcd'] })).toEqual({ a: ['[REDACTED:ACME]'] });
  });

  it('that is none is refused with the nearest', () => {
    expect(() => optionsOfRule('ACMEE', options)).toThrow('the nearest is ACME');
    expect(() => optionsOfRule('zzzzzzzz', options)).toThrow(/no redaction rule has that id$/);
  });
});

describe('git', () => {
  it('has the journal when its list of files says so, here or in a folder above', () => {
    const project = openTestProject();
    expect(isInGit(project)).toBe(false);
    mkdirSync(path.join(project.dir, '.git'));
    writeFileSync(path.join(project.dir, '.git/index'), 'DIRC a src/a.ts');
    expect(isInGit(project)).toBe(false);
    writeFileSync(path.join(project.dir, '.git/index'), 'DIRC a sub/.ben10/journal/manifest');
    expect(isInGit(project)).toBe(true);
    const dir = path.join(project.dir, 'sub');
    expect(isInGit({ ...project, dir, root: path.join(dir, '.ben10') })).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { blobReferences } from '../../../src/journal/format/blob-references.ts';
import { newEvent } from '../../support.ts';

const NAME = 'ab'.repeat(32);
const reference = { $blob: NAME, bytes: 3, head: 'a' };
const named = (data: unknown) => blobReferences(newEvent({ data }).payload);

describe('the blobs that an event names', () => {
  it('are found however deep they stand in its data', () => {
    expect(named(reference)).toEqual([NAME]);
    expect(named({ a: [{ b: reference }, reference] })).toEqual([NAME, NAME]);
  });

  it.each<[string, unknown]>([
    ['no reference at all', { text: '$blob' }],
    ['only the head of a text', { ...reference, $blob: null }],
    ['a name that is none', { ...reference, $blob: '../../etc/passwd' }],
    ['no length', { ...reference, bytes: '3' }],
    ['no head', { $blob: NAME, bytes: 3 }],
    ['bytes', Buffer.from(`$blob ${NAME}`)],
  ])('are none where there is %s', (_, data) => {
    expect(named(data)).toEqual([]);
  });

  it('are none of what is no envelope', () => {
    expect(blobReferences(Buffer.from(`$blob ${NAME}`))).toEqual([]);
    const { payload } = newEvent({ data: reference });
    expect(blobReferences(payload.subarray(0, -1))).toEqual([]);
  });
});

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INLINE_BYTES_MAX } from '../../src/journal/append/blobs.ts';
import { withBlobs } from '../../src/log/blobs.ts';
import { queryLog } from '../../src/log/query.ts';
import { openTestProject } from '../support.ts';
import { saw, tell } from '../tell.ts';

const large = 'ü'.repeat(INLINE_BYTES_MAX);

function journal() {
  const project = openTestProject();
  const data = { toolUseId: 't1', response: { parts: [{ text: large }, { text: 'small' }] } };
  tell(project, saw('tool.succeeded', data));
  return { project, data, stored: [...queryLog(project)][0]!.data };
}

describe('texts that are kept beside the journal', () => {
  it('are put back where their references stand', () => {
    const { project, data, stored } = journal();
    expect(JSON.stringify(stored)).toContain('$blob');
    expect(withBlobs(project, stored)).toEqual(data);
  });

  it('leave their reference, marked, when they are lost', () => {
    const { project, stored } = journal();
    for (const shard of readdirSync(project.layout.blobs)) {
      rmSync(path.join(project.layout.blobs, shard), { recursive: true });
    }
    expect(withBlobs(project, stored)).toMatchObject({
      response: {
        parts: [{ text: { $blob: expect.any(String), missing: true } }, { text: 'small' }],
      },
    });
  });

  it('are not looked for by a name that is none', () => {
    const { project } = journal();
    const hostile = { $blob: '../../../etc/passwd' };
    expect(withBlobs(project, { a: [hostile] })).toEqual({ a: [{ ...hostile, missing: true }] });
  });

  it('change nothing else', () => {
    const { project } = journal();
    const plain = { a: 1, b: [null, true, 'x'], c: { d: undefined }, e: new Uint8Array([1]) };
    expect(withBlobs(project, plain)).toEqual(plain);
  });
});

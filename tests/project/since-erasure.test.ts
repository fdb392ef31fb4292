import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readManifest, writeManifest } from '../../src/journal/format/manifest.ts';
import { sinceErasure } from '../../src/project/since-erasure.ts';
import { newEvent, openTestProject, realPorts } from '../support.ts';

function remembering() {
  const { layout, writer } = openTestProject();
  writer.append([newEvent()]);
  const made: number[] = [];
  const memory = sinceErasure(realPorts, layout, (epoch) => ({ n: made.push(epoch) }));
  const write = (more: object) =>
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, ...more });
  return { memory, made, write, layout };
}

describe('what is remembered since the last erasure', () => {
  it('is the same as long as nothing was erased, whatever else the manifest says', () => {
    const { memory, made, write } = remembering();
    const first = memory();
    write({ generation: 5 });
    expect(memory()).toBe(first);
    write({ erasing: 12 });
    expect(memory()).toBe(first);
    expect(made).toEqual([0]);
  });

  it('is made anew for each epoch, once', () => {
    const { memory, made, write } = remembering();
    const first = memory();
    write({ erasureEpoch: 1 });
    const second = memory();
    expect(second).not.toBe(first);
    expect(memory()).toBe(second);
    write({ erasureEpoch: 2 });
    memory();
    expect(made).toEqual([0, 1, 2]);
  });

  it('is made anew when the manifest that counted is gone', () => {
    const { memory, made, write, layout } = remembering();
    write({ erasureEpoch: 3 });
    memory();
    rmSync(layout.manifest);
    memory();
    expect(made).toEqual([3, 0]);
  });

  it('is held by nobody any more when it was made anew', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { memory, write } = remembering();
    const first = new WeakRef(memory());
    write({ erasureEpoch: 1 });
    memory();
    // A WeakRef holds what it was asked for until the turn of the event loop ends.
    await new Promise(setImmediate);
    collect();
    expect(first.deref()).toBeUndefined();
  });
});

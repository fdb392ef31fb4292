import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HintFile, hintPath, isHintDamaged } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { manifestStamp } from '../../../src/journal/format/manifest.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { oneRoom } from '../../../src/journal/read/room.ts';
import { framesInWindows } from '../../../src/journal/read/windows.ts';
import { planRepair } from '../../../src/journal/repair/repair.ts';
import type { FileSystem } from '../../../src/platform/fs.ts';
import { writeHint } from '../../hints.ts';
import { decoders, realPorts } from '../../support.ts';
import { fourSegments, originOf } from '../journals.ts';
import { edit, flipBit, portsWith, systemError } from '../support.ts';

const NAMES = ['open', 'read', 'stat', 'statIfThere', 'fstat', 'close'] as const;

/** A file system of which these calls fail so; on paths, those that end so. */
function failing(error: Error, calls: readonly (typeof NAMES)[number][], end = '') {
  const change: Partial<Record<keyof FileSystem, unknown>> = {};
  for (const name of calls)
    change[name] = (...args: never[]) => {
      if (typeof args[0] !== 'string' || String(args[0]).endsWith(end)) throw error;
      return (realPorts.fs[name] as (...given: never[]) => unknown)(...args);
    };
  return portsWith(change as Partial<FileSystem>);
}

const SYSTEM = systemError('EIO');
/** As a program raises it that asks for what is not there. */
const MISTAKE = new TypeError('x is not a function');

/** Each gives the same to who comes by as if the file were not there. */
const LOOKS: Record<string, (root: string, error: Error) => unknown> = {
  'a look at whether the manifest is another one': (root, error) =>
    manifestStamp(failing(error, ['statIfThere']), layoutOf(root)),
  'a window of a segment': (root, error) => {
    const file = ownSegments(realPorts, layoutOf(root)).at(-1)!;
    return framesInWindows(failing(error, ['fstat']), file, oneRoom()).next().value;
  },
  'the end of the sync hint': (root, error) => {
    const hint = new HintFile(failing(error, ['close']), hintPath(layoutOf(root), originOf(root)));
    hint.write({ syncedUpto: 1, syncedAt: 2 });
    return hint.close();
  },
};

describe.each(Object.entries(LOOKS))('%s', (_, look) => {
  it('goes on where the disk fails', () => {
    expect([undefined, false, '']).toContain(look(fourSegments(), SYSTEM));
  });

  it('does not hide a mistake of the program', () => {
    const root = fourSegments();
    expect(() => look(root, MISTAKE)).toThrow(MISTAKE);
  });
});

describe('a repair of an inbox file that cannot be read', () => {
  const NAME = '0000000000000001-000000000000.evt';
  const itemsOn = (error: Error) => {
    const root = fourSegments();
    const { inbox } = layoutOf(root);
    writeFileSync(path.join(inbox, NAME), 'nothing of ours');
    return planRepair(failing(error, ['open'], '.evt'), root, decoders);
  };

  it('leaves it where the disk does not give it', () => {
    expect(itemsOn(SYSTEM)).toMatchObject([{ kind: 'inbox', action: 'none' }]);
  });
});

describe('the sync hint', () => {
  it('is damaged where it is there and says nothing, and not where it is gone', () => {
    const root = fourSegments();
    const file = hintPath(layoutOf(root), originOf(root));
    writeHint(realPorts, file, { syncedUpto: 12, syncedAt: 1 });
    expect(isHintDamaged(realPorts, file)).toBe(false);
    edit(file, (bytes) => void flipBit(bytes, 77));
    expect(isHintDamaged(realPorts, file)).toBe(true);
    realPorts.fs.unlink(file);
    expect(isHintDamaged(realPorts, file)).toBe(false);
  });
});

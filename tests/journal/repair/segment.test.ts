import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { journalInMemory, plan, repair, verify } from './repairs.ts';

describe('a plan of a repair', () => {
  it('is made beside another repair, whenever that one takes the segment away', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const second = segments()[1]!;
    damage(second, (bytes) => void bytes.fill(0, 0, 128));
    const image = fs.image();
    for (let at = 1; ; at += 1) {
      const copy = new MemoryFs(image);
      const [open, readdir] = [copy.open.bind(copy), copy.readdir.bind(copy)];
      let looks = 0;
      const look = () => {
        looks += 1;
        if (looks === at) repair({ ...ports, fs: copy });
      };
      copy.open = (file, flags) => {
        if (file === second) look();
        return open(file, flags);
      };
      copy.readdir = (folder) => {
        if (folder === path.posix.dirname(second)) look();
        return readdir(folder);
      };
      const items = plan({ ...ports, fs: copy });
      if (looks < at) {
        expect(at).toBeGreaterThan(4);
        break;
      }
      expect(items.map(({ action }) => action)).not.toContain('none');
      expect(verify({ ...ports, fs: copy }).ok).toBe(true);
      expect(plan({ ...ports, fs: copy })).toEqual([]);
      expect(copy.opened).toBe(0);
    }
  });
});

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { keep, setAside } from '../../../src/journal/repair/quarantine.ts';
import { realPorts } from '../../support.ts';
import { newRoot, portsWith, recorded, systemError } from '../support.ts';

const CALLS = ['write', 'datasync', 'rename', 'syncDir'] as const;

function journal() {
  const layout = layoutOf(newRoot());
  mkdirSync(layout.journal, { recursive: true, mode: 0o700 });
  keep(realPorts, layout, 'before', Buffer.from('so that the folder is there'));
  return layout;
}

describe('the quarantine', () => {
  it('keeps bytes, on the disk when it returns, for the owner alone', () => {
    const layout = journal();
    const { calls, ports } = recorded(CALLS);
    const name = keep(ports, layout, 'a.b10.128', Buffer.from('cut off'));
    expect(name).toMatch(/^a\.b10\.128\.[0-9a-f]{12}$/);
    const file = path.join(layout.quarantine, name);
    expect(readFileSync(file, 'utf8')).toBe('cut off');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(calls).toEqual(['write', 'datasync', 'syncDir']);
  });

  it('takes a whole file in, and syncs where it is and where it was', () => {
    const layout = journal();
    const file = path.join(layout.journal, 'some');
    writeFileSync(file, 'whole');
    const { calls, ports } = recorded(CALLS);
    const name = setAside(ports, layout, layout.journal, 'some');
    expect(name).toMatch(/^some\.whole\.[0-9a-f]{12}$/);
    expect(readFileSync(path.join(layout.quarantine, name), 'utf8')).toBe('whole');
    expect(readdirSync(layout.journal)).toEqual(['quarantine']);
    expect(calls).toEqual(['rename', 'syncDir', 'syncDir']);
  });

  it('is left as it was where a copy does not come to be whole', () => {
    const layout = journal();
    const before = readdirSync(layout.quarantine);
    for (const call of ['write', 'datasync'] as const) {
      const full = portsWith({
        [call]: () => {
          throw systemError('ENOSPC');
        },
      });
      expect(() => keep(full, layout, 'a.b10.128', Buffer.from('cut off'))).toThrow('ENOSPC');
      expect(readdirSync(layout.quarantine), call).toEqual(before);
    }
    const short = portsWith({ write: (fd, bytes) => realPorts.fs.write(fd, bytes.subarray(1), 0) });
    expect(() => keep(short, layout, 'a.b10.128', Buffer.from('cut off'))).toThrow('no space left');
    expect(readdirSync(layout.quarantine)).toEqual(before);
  });

  it('never writes over what it has', () => {
    const layout = journal();
    const names = ['one', 'two'].map((text) => keep(realPorts, layout, 'same', Buffer.from(text)));
    expect(new Set(names).size).toBe(2);
  });
});

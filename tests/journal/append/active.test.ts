import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest, writeManifest } from '../../../src/journal/format/manifest.ts';
import { realPorts } from '../../support.ts';
import { appendAll, eventsOf, journalOf, recorded } from '../support.ts';

/** What a process that comes next does to the disk, to append one event of class `process`. */
function callsOfAppend(root: string): string[] {
  const { calls, ports } = recorded(['syncDir', 'write']);
  appendAll(root, eventsOf(1), {}, ports);
  return calls;
}

describe('the segment that is appended to', () => {
  it('is appended to without a sync of its folder when events stand in it', () => {
    const root = journalOf(2);
    expect(callsOfAppend(root)).toEqual(['write']);
  });

  it('has its name on disk before anything is appended, when an erasure that died may have put it there', () => {
    const root = journalOf(2);
    const layout = layoutOf(root);
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, erasing: 3 });
    expect(callsOfAppend(root)).toEqual(['syncDir', 'write']);
  });
});

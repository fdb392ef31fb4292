import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { files } from '../../../src/projections/folds/files.ts';
import { factOf, foldOf } from '../support/telling.ts';

let calls = 0;
/** A call of a file tool and its outcome. */
function touch(name: string, path: string, response: unknown, agent: string | null = null): Fact[] {
  calls += 1;
  const call = { toolUseId: `t${calls}`, name };
  return [
    factOf('tool.called', { ...call, input: { file_path: path, content: 'a\nb\n' } }, { agent }),
    factOf('tool.succeeded', { ...call, response, durationMs: 1 }, { agent }),
  ];
}
const patch = { structuredPatch: [{ lines: ['+a', '+b', '-c', ' d'] }] };

describe('a file that was touched', () => {
  it('is known by what was done to it last, and with how many lines', () => {
    const facts = [
      ...touch('Write', '/p/a.ts', { type: 'create' }),
      ...touch('Edit', '/p/a.ts', patch),
      ...touch('Read', '/p/b.ts', {}),
    ];
    const { '/p/a.ts': a, '/p/b.ts': b } = foldOf(files, facts).files;
    expect(a).toMatchObject({ lastAction: 'edited', edits: 2, linesAdded: 4, linesRemoved: 1 });
    expect(b).toMatchObject({ lastAction: 'read', reads: 1, edits: 0, changedSeq: null });
  });

  it('cites its last change, whoever looked at it since', () => {
    const change = touch('Edit', '/p/a.ts', patch);
    const look = touch('Read', '/p/a.ts', {}, 'agent-1');
    const record = foldOf(files, [...change, ...look]).files['/p/a.ts'];
    expect(record).toMatchObject({
      lastAction: 'edited',
      changedSeq: change[1]!.seq,
      lastSeq: look[1]!.seq,
      agents: ['', 'agent-1'],
    });
  });

  it('is not changed by a call that failed or has no outcome', () => {
    const [called] = touch('Edit', '/p/a.ts', patch);
    const [again, outcome] = touch('Edit', '/p/a.ts', patch);
    const failed = { ...outcome!, type: 'tool.failed' };
    const state = foldOf(files, [called!, again!, failed]);
    expect([state.files, Object.keys(state.open)]).toEqual([
      {},
      [(called!.data as { toolUseId: string }).toolUseId],
    ]);
  });
});

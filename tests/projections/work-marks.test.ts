import { expect, it } from 'vitest';
import type { ToolCalled } from '../../src/events/types.ts';
import type { Fact } from '../../src/projections/contract.ts';
import { callBegan, noMarks } from '../../src/projections/work-marks.ts';

it("the client's own plan is no edit of the work, and says that the session plans", () => {
  const marks = noMarks();
  const wrote = (file_path: string) =>
    callBegan(marks, {
      agent: null,
      seq: marks.calls + 1,
      data: { name: 'Write', input: { file_path }, toolUseId: `t${marks.calls}` },
    } as Fact<ToolCalled>);
  wrote('/home/a/.claude/plans/a-calm-fox.md');
  expect(marks).toMatchObject({ isPlanning: true, edit: null });
  wrote('/home/a/p/docs/plans/a.md');
  expect(marks).toMatchObject({ isPlanning: false, edit: { seq: 2 } });
});

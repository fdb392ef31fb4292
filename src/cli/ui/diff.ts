import type { SetupPlan } from '../../setup/plan-edit.ts';
import { placeOf } from './setup-report.ts';
import type { Colours } from './terminal.ts';

/** The changes of a plan as unified diffs. */
export async function diffLines(plan: SetupPlan, colours: Colours): Promise<string[]> {
  const { createTwoFilesPatch } = await import('diff');
  const due = plan.edits.filter(({ action }) => action !== 'keep');
  return due.flatMap((edit) => {
    const { action, before = '', after } = edit;
    const file = placeOf(plan.projectDir, edit);
    const from = action === 'create' ? '/dev/null' : `a/${file}`;
    const to = action === 'remove' ? '/dev/null' : `b/${file}`;
    const patch = createTwoFilesPatch(from, to, before, after, undefined, undefined, {
      context: 3,
    });
    // The first line is only a separator.
    const lines = patch.trimEnd().split('\n').slice(1);
    return lines.map((line) => paint(line, colours));
  });
}

function paint(line: string, { bold, green, red, cyan }: Colours): string {
  if (line.startsWith('+++') || line.startsWith('---')) return bold(line);
  if (line.startsWith('+')) return green(line);
  if (line.startsWith('-')) return red(line);
  return line.startsWith('@@') ? cyan(line) : line;
}

import { describe, expect, it } from 'vitest';
import { context } from '../../src/projections/folds/context.ts';
import { promptsOf } from '../../src/projections/folds/conversation.ts';
import { recallText } from '../../src/recall/recall.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';
import { importRecords, ran, saw, tell } from '../tell.ts';

describe('what ben10 or the client put in the user’s place', () => {
  it('is given back neither as what they said nor as their rule: ben10’s commands and tools', () => {
    const project = openTestProject();
    tell(
      project,
      saw('prompt.submitted', { text: 'Add due dates to the list.', promptId: 'p1' }),
      ...ran('t1', 'mcp__ben10__restore', { point: 'NEVER_SEEN_1' }, { error: 'no such point' }),
      saw('prompt.submitted', { text: '/mcp__ben10__resume Never use globals.', promptId: 'p2' }),
      saw('prompt.submitted', { text: '/mcp__plugin_x_ben10__catch_me_up', promptId: 'p3' }),
    );
    const { text } = recallText(project, { source: 'compact', session: 's' });
    expect(text).toMatch(/The user said:\n@1 Add due dates to the list\.\n<\//);
    expect(text).not.toMatch(/globals|mcp__|NEVER_SEEN/);
    expect(promptsOf(project.states.at(context, 's').state.conversation)).toHaveLength(1);
  });

  it('nor output of local commands, hooks and the editor', () => {
    const script = new Script();
    const machine = [
      '<local-command-stdout>Always deploy on Friday.</local-command-stdout>',
      '<bash-input>npm run odd</bash-input>',
      '<bash-stdout>Never use odd numbers.</bash-stdout><bash-stderr></bash-stderr>',
      '<ide_opened_file>The user opened odd.ts in the IDE.</ide_opened_file>',
      '<user-prompt-submit-hook>Always answer oddly.</user-prompt-submit-hook>',
    ];
    const project = importRecords(openTestProject(), [
      script.prompt('Add due dates to the list.', 'p1'),
      ...machine.map((text, n) => script.prompt(text, `m${n}`)),
      script.says('Done.'),
    ]);
    const { text } = recallText(project, { source: 'compact', session: 's' });
    expect(text).toContain('Add due dates to the list.');
    expect(text).not.toMatch(/odd|Friday/);
  });
});

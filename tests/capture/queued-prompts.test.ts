import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { PromptSubmitted } from '../../src/events/types.ts';
import { textOf } from '../../src/projections/tools-text.ts';
import { openTestProject } from '../support.ts';
import { importInto } from '../tell.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

it.each([
  [
    'transcripts/claude-2.1.39-auto-compact/258c7280-ae70-4798-800f-63464d01a85d.jsonl',
    '258c7280-ae70-4798-800f-63464d01a85d',
    ['check again', 'new beads for the epic were added. tackle them'],
  ],
  [
    'real-client/working-session/projects',
    '30b880a7-fe98-4d0f-a93b-90cbba457205',
    ['Also say in the README that dates are UTC.', 'Go on with the overdue filter.'],
  ],
])('what was queued in mid-turn is recorded once: %s', (file, session, queued) => {
  const project = openTestProject();
  importInto(project, path.join(FIXTURES, file));
  const prompts = project.states
    .facts(session, ['prompt.submitted'])
    .map(({ fact }) => textOf((fact.data as PromptSubmitted).text));
  for (const one of queued) expect(prompts.filter((said) => said === one)).toEqual([one]);
});

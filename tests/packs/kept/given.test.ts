import { expect, it } from 'vitest';
import type { EventData, EventType } from '../../../src/events/types.ts';
import { hadBy } from '../../../src/packs/kept/given.ts';
import type { Project } from '../../../src/project/open.ts';
import { kept, projectWith } from './support.ts';

const READER = { session: 's1', agent: null };

function tell<T extends EventType>(project: Project, type: T, data: EventData[T]): void {
  const { recorder } = project;
  const about = { type, fact: null, ...READER, at: Date.now(), data };
  recorder.append([recorder.event(about, 'transcript')]);
}
const labelsOf = (project: Project): string[] => [
  ...hadBy(project, READER, Number.MAX_SAFE_INTEGER).blocks.keys(),
];

it('a delta that was given on ground that a rewind took counts for what was in it alone', async () => {
  const project = projectWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { id: snapshot } = await kept(project, ['file:a.txt', 'file:b.txt']);
  const given = { snapshot, tokens: 1, chars: 1 };
  tell(project, 'pack.given', { ...given, mode: 'full' });
  expect(labelsOf(project)).toEqual(['a.txt', 'b.txt']);
  const trace = { pos: 900, rewoundTo: 10 };
  tell(project, 'prompt.submitted', { text: 'again', trace } as EventData['prompt.submitted']);
  tell(project, 'pack.given', { ...given, mode: 'delta', items: [1] });
  expect(labelsOf(project)).toEqual(['b.txt']);
});

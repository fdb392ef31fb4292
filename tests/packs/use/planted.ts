import path from 'node:path';
import type { Observation } from '../../../src/capture/observation.ts';
import type { Project } from '../../../src/project/open.ts';
import { ran, saw, tell } from '../../tell.ts';

let calls = 0;

/** `read src/a.ts`, `edit src/b.ts`: a turn of these, with a prompt before them. */
export function turn(project: Project, session: string, ...did: readonly string[]): void {
  tell(
    project,
    saw('prompt.submitted', { text: 'go on' }, { session }),
    ...did.flatMap((one) => call(project, session, one)),
  );
}

/** A call of a tool on a file, and its success. */
export function call(project: Project, session: string, did: string): Observation[] {
  const [word, file] = did.split(' ') as ['read' | 'edit', string];
  calls += 1;
  const input = { file_path: path.join(project.dir, file) };
  const tool = word === 'read' ? 'Read' : 'Edit';
  return ran(`toolu_${calls}`, tool, input, { response: {} }, { session });
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratch } from '../lib/scratch.mjs';
import { transcriptIn } from './sessions.mjs';

/**
 * The handoff of a session that ended at the cut. Its tree is not there: its files are empty, and git knows nothing.
 * @param files relative to the project
 */
export function documentAt(program, { before }, records, files) {
  const dir = scratch();
  for (const file of files) {
    try {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      writeFileSync(path.join(dir, file), '');
    } catch {
      // A folder that was read as a file.
    }
  }
  const transcript = path.join(scratch(), 'session.jsonl');
  writeFileSync(transcript, transcriptIn(dir, before, records));
  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  const { ports, reader, states, recorder } = project;
  program.importTranscripts({ ports, reader, states, recorder, paths: [transcript] });
  const session = states.activeSession();
  const begun = {
    checkpoint: 'be0c'.repeat(4),
    level: 'L2',
    trigger: 'alert',
    percent: 86,
    epoch: 'start',
    worktree: '.',
  };
  const own = recorder.ownEvent('checkpoint.begun', session, begun, 'hook');
  const [seq] = recorder.append([own]).seqs;
  const { text, nextSteps } = program.documentOf(project, { ...begun, seq });
  project.close();
  rmSync(dir, { recursive: true });
  return { text, nextSteps };
}

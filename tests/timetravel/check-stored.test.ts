import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkJournal } from '../../src/doctor/journal.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { save } from '../../src/timetravel/saves.ts';
import { checkStored } from '../../src/timetravel/stored-damage.ts';
import { ben10, json } from '../cli/support.ts';
import { imported, testProject, transcript } from './project.ts';

const todo = () =>
  imported(testProject(), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));

describe('a save that is damaged', () => {
  it('is told by the doctor and by verify before somebody needs it, and left where it is', () => {
    const project = todo();
    const [whole, damaged, gone] = ['whole', 'damaged', 'gone'].map((name) =>
      path.join(project.root, save(project, { name }).file),
    ) as [string, string, string];
    const warnings = () =>
      [...checkJournal(project), ...checkStored(project)].flatMap(({ verdict, what }) =>
        verdict === 'ok' ? [] : [what],
      );
    expect(warnings()).toEqual([]);
    const bytes = readFileSync(damaged);
    bytes[bytes.length >> 1]! ^= 0xff;
    writeFileSync(damaged, bytes);
    rmSync(gone);
    expect(warnings()).toEqual([
      expect.stringMatching(/^save "damaged" is damaged \(CONTEXT_CORRUPTED\): /),
    ]);
    const verified = ben10(project.dir, ['verify', '--json']);
    expect(json<{ stored: { name: string }[] }>(verified).stored.map(({ name }) => name)).toEqual([
      'save "damaged"',
      'save "gone"',
    ]);
    const { stdout } = ben10(project.dir, ['verify']);
    expect(stdout).toContain('The journal is sound; 1 file beside it is damaged or missing.');
    expect(stdout).toContain('save "damaged" is damaged');
    // As an erasure leaves it: whoever asks for it has it made again.
    expect(stdout).toMatch(/Missing stored states[^:]*:\n {2}save "gone": checkpoints\/saves\//);
    expect(readFileSync(damaged)).toEqual(bytes);
    expect(readFileSync(whole).length).toBeGreaterThan(0);
  });

  it('is named by its code when it is restored, and counted by the doctor for what it was', () => {
    const project = todo();
    const file = path.join(project.root, save(project, { name: 'mine' }).file);
    writeFileSync(file, 'nothing of ours');
    const { text } = restore(project, { mode: 'summary', name: 'mine' });
    expect(text).toContain('is damaged (CONTEXT_CORRUPTED; set aside as ');
    const said = checkJournal(project).map(({ what }) => what);
    expect(said.join()).toContain('1 damaged state');
    expect(said.join()).not.toContain('crash');
  });
});

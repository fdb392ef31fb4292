import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aboutType } from '../../../src/events/catalogue.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { openTestProject } from '../../support.ts';
import { saw, tell } from '../../tell.ts';
import { emptyProject, inMemory, json, lines, recordedProject } from '../support.ts';

describe('ben10 show', () => {
  it('shows an event whole, by its number or the start of its id', async () => {
    const dir = recordedProject();
    const { code, stdout } = await inMemory(dir, ['show', '22']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^@22 tool\.called {2}The model called a tool\.\n {2}time +2026-11-21 /);
    expect(stdout).toContain('  name: Bash\n  input:\n    command: node --test 2>&1 | head -40');
    const id = json<{ id: string }>(await inMemory(dir, ['show', '22', '--json'])).id;
    for (const reference of ['@22', id, id.slice(0, 12)]) {
      expect((await inMemory(dir, ['show', reference])).stdout).toBe(stdout);
    }
  });

  it('says what an event is that the journal wrote about itself', async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    const { ports, root, layout } = project;
    tell(project, saw('prompt.submitted', { text: 'hi' }));
    writeFileSync(layout.manifest, 'damaged');
    new JournalWriter(ports, root, { lockBudgetMs: 5000 }).drain();
    const { stdout } = await inMemory(dir, ['show', '2']);
    expect(stdout).toMatch(/^@2 journal\.repaired {2}Damage in the journal was repaired: /);
    for (const type of ['journal.copied', 'journal.based', 'erasure.requested', 'erasure.done'])
      expect(aboutType(type)).not.toContain('does not know');
    expect(aboutType('journal.other')).toBe('An event that this ben10 does not know.');
  });

  it('prints the same JSON as the log', async () => {
    const dir = recordedProject();
    const all = lines(await inMemory(dir, ['log', '--json']));
    expect(json(await inMemory(dir, ['show', '42', '--json']))).toEqual(all[41]);
  });

  it('cuts long texts, and shows them whole with --full', async () => {
    const dir = recordedProject();
    expect((await inMemory(dir, ['show', '23'])).stdout).toContain('more lines; --full shows them');
    const full = await inMemory(dir, ['show', '23', '--full']);
    expect(full.stdout).not.toContain('--full');
    expect(full.stdout).toContain('# Subtest');
  });

  it('puts texts that are kept beside the journal back with --full', async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    const large = `begin ${'ü'.repeat(70_000)} end`;
    const data = { toolUseId: 't1', name: 'Bash', response: { stdout: large } };
    tell(project, saw('tool.succeeded', data));
    const brief = json<{ data: { response: { stdout: unknown } } }>(
      await inMemory(dir, ['show', '1', '--json']),
    );
    expect(brief.data.response.stdout).toMatchObject({ $blob: expect.any(String) });
    const full = json<{ data: unknown }>(await inMemory(dir, ['show', '1', '--json', '--full']));
    expect(full.data).toEqual(data);
    expect((await inMemory(dir, ['show', '1', '--full'])).stdout).toContain('ü end');
  });

  it('says which events there are when there is none of that number, with exit code 1', async () => {
    const { code, stderr } = await inMemory(recordedProject(), ['show', '53']);
    expect(code).toBe(1);
    expect(stderr).toContain('there is no event @53: they go from @1 to @52 [POINT_NOT_FOUND]');
  });
});

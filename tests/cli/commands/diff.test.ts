import { describe, expect, it } from 'vitest';
import { inMemory, json, recordedProject } from '../support.ts';

interface Diff {
  kind: string;
  counts?: Record<string, number>;
  messages?: { added: unknown[] };
}

describe('ben10 diff', () => {
  it('compares the disk with what the journal last saw of each file', async () => {
    const dir = recordedProject();
    const { stdout } = await inMemory(dir, ['diff']);
    expect(stdout).toMatch(/^\d+ files of session .* against what the journal last saw of each/);
    const found = json<Diff>(await inMemory(dir, ['diff', '--json']));
    expect(found.kind).toBe('files');
  });

  it('says what changed from a point until now, and between two', async () => {
    const dir = recordedProject();
    const since = await inMemory(dir, ['diff', '@prompt:2']);
    expect(since.stdout).toMatch(/^from @prompt:2 /);
    expect(since.stdout).toContain('\nMessages\n');
    const all = json<Diff>(await inMemory(dir, ['diff', '@0', '--json']));
    const part = json<Diff>(await inMemory(dir, ['diff', '@0', '@prompt:2', '--json']));
    expect(part.messages!.added.length).toBeLessThan(all.messages!.added.length);
    expect((await inMemory(dir, ['diff', '@20', '@20'])).stdout).toContain('Nothing is different.');
  });

  it('refuses a point that is none, and one that is not there', async () => {
    const dir = recordedProject();
    expect((await inMemory(dir, ['diff', 'yesterday'])).code).toBe(2);
    expect((await inMemory(dir, ['diff', '@save:nothing'])).code).toBe(1);
  });
});

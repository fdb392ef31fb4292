import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenIn, hooked } from '../../hook/run-hook.ts';
import { emptyProject, here, inMemory, json, recordedProject, SESSION_ID } from '../support.ts';

interface Recall {
  chars: number;
  tokens: number;
  items: { kind: string; text: string; seq: number }[];
  text: string;
}

/** A hook records what it is told before it gives back, so that its text stands at a later event. */
const body = (text: string): string =>
  text.replace(/upto="@\d+"/g, '').replace(/ben10-[a-z]+-\w+/g, '');

describe('ben10 recall', () => {
  it('prints what is given back, its size and its items as JSON', async () => {
    const dir = recordedProject();
    const found = json<Recall>(await inMemory(dir, ['recall', '--source', 'compact', '--json']));
    expect(Object.keys(found)).toEqual(['chars', 'tokens', 'items', 'text']);
    expect(found.chars).toBe(found.text.length);
    expect(Object.keys(found.items[0]!)).toEqual(['kind', 'text', 'seq']);
    const text = await inMemory(dir, ['recall', '--source', 'compact']);
    expect(text.stdout).toBe(`${found.text}\n`);
    expect(text.stderr).toContain(`${found.items.length} items`);
  });

  it('explains every item: what it is worth, of what that is made, and why it is in or out', async () => {
    const dir = recordedProject();
    const args = ['recall', '--source', 'compact', '--max-chars', '700', '--explain'];
    const { considered, items, text, budget } = json<
      Recall & {
        budget: number;
        considered: {
          given: boolean;
          why: string | null;
          kind: string;
          seq: number;
          worth: number;
          parts: Record<string, number>;
        }[];
      }
    >(await inMemory(dir, [...args, '--json']));
    expect(budget).toBe(700);
    const given = considered.filter((one) => one.given);
    expect(given).toHaveLength(items.length);
    for (const { seq } of given) expect(text).toContain(`\n@${seq} `);
    const out = considered.filter((one) => !one.given);
    expect(new Set(out.map(({ why }) => why))).toContain('no room');
    const worths = considered.map(({ worth }) => worth);
    expect(worths).toEqual([...worths].sort((a, b) => b - a));
    for (const { parts, worth } of considered) {
      const { base, weight, recency, rarity, reuse, names } = parts as Record<string, number>;
      expect(base! * weight! * recency! * rarity! * reuse! + names!).toBeCloseTo(worth, -1);
    }
    const shown = await inMemory(dir, args);
    expect(shown.stdout).toMatch(
      /^\d+ of \d+ items are given back, in [\d,]+ of 700 characters \(about \d+ of 226 tokens\)\.$/m,
    );
    expect(shown.stdout).toMatch(
      /^A line: in or out, worth = base × .*\n- in, always: .*\n(?:- out: .*\n)*\n/m,
    );
    const marks = new Set(out.map(({ why }) => why));
    for (const why of marks)
      expect(shown.stdout).toMatch(new RegExp(`^- out: ${why}: .*\\.$`, 'm'));
    const narrow = (await inMemory(dir, args, { columns: 60 })).stdout.split('\n');
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(narrow.join(' ').replace(/\s+/g, ' ')).toBe(shown.stdout.replace(/\s+/g, ' '));
    expect(shown.stdout).toMatch(
      /^in {10} +\d+\.\d = \d+ × .* rule {2}@\d+ \d+(?:m|h|d|mo|y) .* \(\d+ characters/m,
    );
    expect(shown.stdout).toMatch(/^out: no room/m);
  });

  /** What a hook of the recorded session puts before the model. */
  const given = async (
    dir: string,
    event: string,
    fields: Record<string, unknown>,
    env: Record<string, string> = {},
  ): Promise<string> => {
    const home = { HOME: path.join(dir, 'no-home') };
    const about = { session_id: SESSION_ID, ...fields };
    return givenIn(await hooked(dir, event, about, { ...home, ...env }));
  };

  it('prints exactly what the hook puts before the model after a compaction', async () => {
    const dir = recordedProject();
    const shown = json<Recall>(await inMemory(dir, ['recall', '--source', 'compact', '--json']));
    const start = await given(dir, 'SessionStart', { source: 'compact' });
    expect(body(start)).toBe(body(shown.text));
  });

  it('keeps to the setting recall.maxChars, as the hooks do, at every moment', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'recall:\n  maxChars: 700\n');
    // A third of the setting is for the prompt. The first hook compiles the settings for those that follow.
    await given(dir, 'SessionStart', { source: 'compact' });
    for (const [source, event, fields] of [
      ['compact', 'SessionStart', { source: 'compact' }],
      ['prompt', 'UserPromptSubmit', { prompt: '' }],
    ] as const) {
      const shown = json<Recall>(await inMemory(dir, ['recall', '--source', source, '--json']));
      const text = await given(dir, event, fields);
      expect(shown.items.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(700);
      expect(body(text)).toBe(body(shown.text));
    }
  });

  it('prints with the prompt what is owed to a compaction, and nothing where the hook would print none', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    const prompt = ['recall', '--source', 'prompt', '--json'];
    expect(json<Recall>(await inMemory(dir, prompt)).text).toBe('');
    expect(json<Recall>(await inMemory(dir, [...prompt, '--max-chars', '700'])).text).toBe('');
    const hook = (event: string, fields: Record<string, unknown>) =>
      given(dir, event, fields, { BEN10_RECALL_MAX_CHARS: '2100' });
    // A third of the setting is for the prompt. The first hook compiles the settings for those that follow.
    await hook('SessionStart', { source: 'startup' });
    await hook('SessionStart', { source: 'compact' });
    const shown = json<Recall>(await inMemory(dir, [...prompt, '--max-chars', '700']));
    expect(shown.items.length).toBeGreaterThan(0);
    const answer = await hook('UserPromptSubmit', {
      prompt: 'Never use globals.',
      prompt_id: 'p9',
    });
    expect(body(answer)).toBe(body(shown.text));
    expect(json<Recall>(await inMemory(dir, prompt)).text).toBe('');
    expect(await hook('UserPromptSubmit', { prompt: 'Go on.', prompt_id: 'p10' })).toBe('');
  });

  it('takes a number of characters in the place of the setting', async () => {
    const dir = recordedProject();
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'recall:\n  maxChars: 600\n');
    const of = async (...more: string[]) =>
      json<Recall>(await inMemory(dir, ['recall', '--source', 'compact', '--json', ...more])).chars;
    expect(await of()).toBeLessThanOrEqual(600);
    expect(await of('--max-chars', '2000')).toBeGreaterThan(600);
  });

  it('takes more than the moment allows, when it is asked to', async () => {
    const dir = recordedProject();
    const resumed = ['recall', '--source', 'resume', '--json'];
    expect(json<Recall>(await inMemory(dir, resumed)).chars).toBe(0);
    const asked = await inMemory(dir, [...resumed, '--max-chars', '2000']);
    expect(json<Recall>(asked).chars).toBeGreaterThan(600);
  });

  it('says that hooks give nothing back when the settings say so', async () => {
    const dir = recordedProject();
    expect((await inMemory(dir, ['recall'])).stderr).not.toContain('autoRestore');
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'context:\n  autoRestore: false\n');
    const { stdout, stderr } = await inMemory(dir, ['recall', '--source', 'compact']);
    expect(stdout).toContain('ben10-recall');
    expect(stderr).toContain('context.autoRestore is off');
  });

  it('says what is wrong with the settings', async () => {
    const dir = recordedProject();
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'recall:\n  maxChars: many\n');
    const { code, stdout, stderr } = await inMemory(dir, ['recall']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('recall.maxChars');
  });

  it('goes back to a point of the past', async () => {
    const dir = recordedProject();
    const args = ['recall', '--at', '@compaction:-1', '--source', 'compact'];
    const { stdout } = await inMemory(dir, args);
    expect(stdout).toContain('Keep dates as ISO strings');
    expect(stdout).not.toContain('Now the overdue filter please');
    expect(stdout).toContain('upto="@33"');
  });

  it('says so when there is nothing to give back', async () => {
    const { code, stdout, stderr } = await inMemory(emptyProject(), ['recall']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('nothing to give back');
    const asJson = json<Recall>(await inMemory(emptyProject(), ['recall', '--json']));
    expect(asJson).toEqual({ chars: 0, tokens: 0, items: [], text: '' });
  });

  it('records nothing', async () => {
    const dir = recordedProject();
    await here(dir, ['recall']);
    expect(json<{ events: number }>(await here(dir, ['verify', '--json'])).events).toBe(52);
  });
});

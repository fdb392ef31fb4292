import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Prices, priceIn } from '../../../src/usage/prices.ts';
import type { Usage } from '../../../src/usage/tally.ts';
import { openTestProject } from '../../support.ts';
import { importInto, saw, tell } from '../../tell.ts';
import { emptyProject, inMemory, json, SESSIONS } from '../support.ts';

const TRANSCRIPTS = path.join(import.meta.dirname, '../../fixtures/transcripts');
const MESSAGES = 'claude-v1.0.17-long-edit-session.jsonl';

const usageIn = async (dir: string, ...args: string[]): Promise<Usage> =>
  json<Usage & Record<string, unknown>>(await inMemory(dir, ['usage', '--json', ...args]));

function imported(...paths: string[]): string {
  const project = openTestProject(emptyProject());
  importInto(project, ...paths);
  return project.dir;
}

/** What one line of a transcript reports of a message. */
const used = (
  messageId: string,
  outputTokens: number,
  about: { session?: string; at?: number; model?: string; copied?: true; hour?: number } = {},
) => {
  const {
    session = 's',
    at = Date.UTC(2026, 10, 21, 12),
    model = 'claude-opus-4-5',
    copied,
  } = about;
  const cacheHourTokens = about.hour;
  const tokens = { inputTokens: 1000, cacheCreationTokens: 4000, cacheReadTokens: 100_000 };
  return saw(
    'usage.sampled',
    {
      messageId,
      model,
      outputTokens,
      ...tokens,
      ...(cacheHourTokens !== undefined && { cacheHourTokens }),
      ...(copied && { copied }),
    },
    { session, at, fact: `usage ${session} ${messageId} ${outputTokens}` },
  );
};

describe('ben10 usage', () => {
  it.each([
    ['a long session with every message on several lines', path.join(TRANSCRIPTS, MESSAGES)],
    ['all sessions of the real client, with sub-agents, forks and resumed ones', SESSIONS],
  ])('counts the tokens of each message once, as other means do: %s', async (_, source) => {
    const { total } = await usageIn(imported(source));
    const { input, output, cacheWrite, cacheRead } = total.tokens;
    expect([total.messages, input, output, cacheWrite, cacheRead]).toEqual(sumByHand(source));
  });

  it('counts a message that grows, comes again or was copied to another session once, at its largest', async () => {
    const project = openTestProject(emptyProject());
    tell(
      project,
      ...[used('m1', 3), used('m1', 250), used('m1', 250)],
      // A session that was resumed by an older client has it again.
      used('m1', 250, { session: 'resumed', at: Date.UTC(2026, 10, 22) }),
      used('m2', 10, { session: 'fork', copied: true }),
      used('m3', 20, { session: 'resumed' }),
    );
    const { total, by } = await usageIn(project.dir);
    expect(total).toMatchObject({ messages: 2, tokens: { output: 270 } });
    expect(by.session.map(({ key, sum }) => [key, sum.tokens.output])).toEqual([
      ['s', 250],
      ['resumed', 20],
    ]);
    expect(by.day).toHaveLength(1);
  });

  it('multiplies by the list prices, an hour in the cache at its own', async () => {
    const project = openTestProject(emptyProject());
    tell(project, used('m1', 2000, { hour: 1000 }));
    const { total } = await usageIn(project.dir);
    const dollars = (1000 * 5 + 2000 * 25 + 3000 * 6.25 + 1000 * 10 + 100_000 * 0.5) / 1e6;
    expect(total.cost).toBeCloseTo(dollars, 10);
  });

  it('has tokens and no price for a model that it does not know, and says what the total leaves out', async () => {
    const project = openTestProject(emptyProject());
    tell(project, used('m1', 100), used('m2', 100, { model: 'claude-opus-9' }));
    const { total, unpriced, by } = await usageIn(project.dir);
    expect(unpriced).toEqual(['claude-opus-9']);
    expect(total.unpriced).toBe(105_100);
    expect(by.model.find(({ key }) => key === 'claude-opus-9')!.sum.cost).toBeNull();
    const { stdout } = await inMemory(project.dir, ['usage']);
    expect(stdout).toMatch(/^claude-opus-9 +no price +105\.1k/m);
    expect(stdout).toMatch(
      /^Total: \$0\.08\+, .*, without 105\.1k tokens of claude-opus-9: no price$/m,
    );
  });

  it('takes prices from the setting first, and refuses what is none', async () => {
    const project = openTestProject(emptyProject());
    tell(project, used('m1', 0, { model: 'claude-opus-9' }));
    const set = (value: string) => inMemory(project.dir, ['config', 'set', 'usage.prices', value]);
    await set('claude-opus-9* 10 20 30 1');
    const { total } = await usageIn(project.dir);
    expect(total.cost).toBeCloseTo((1000 * 10 + 4000 * 30 + 100_000 * 1) / 1e6, 10);
    await set('claude-opus-9 cheap');
    const wrong = await inMemory(project.dir, ['usage']);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a price') });
  });

  it('keeps to a range, a session and one table', async () => {
    const dir = imported(SESSIONS, path.join(TRANSCRIPTS, MESSAGES));
    const all = await usageIn(dir);
    const part = await usageIn(dir, '2026-11-21');
    expect(part.total.messages).toBeLessThan(all.total.messages);
    expect(part.by.day.map(({ key }) => key)).toEqual(['2026-11-21']);
    const one = await usageIn(dir, '--session', '30b880a7', '--by', 'model');
    expect(Object.keys(one.by)).toEqual(['model']);
    expect(one.total.tokens.input).toBe(148_500);
    expect((await inMemory(dir, ['usage', '--by', 'modle'])).stderr).toContain('mean "model"?');
  });

  it('shows bars where there is room, keeps to the terminal, and needs no colours', async () => {
    const dir = imported(SESSIONS);
    for (const columns of [40, 60, 90, 120]) {
      const { stdout } = await inMemory(dir, ['usage'], { columns, env: { NO_COLOR: '1' } });
      const rows = stdout.split('\n').filter((line) => !/^(?:Total|At the)/.test(line));
      expect(rows.filter((line) => line.length > columns)).toEqual([]);
      expect(stdout).not.toContain('\x1b');
      if (columns > 40) expect(stdout).toMatch(/^2026-11-21 .* █{6,20}$/m);
    }
    const none = await inMemory(emptyProject(), ['usage']);
    expect(none).toMatchObject({ code: 0, stderr: 'No API message is recorded there.\n' });
  });
});

describe('a price', () => {
  const tokens = { input: 1e6, output: 0, cacheWrite: 0, cacheHour: 0, cacheRead: 0 };
  const costOf = (model: string, more = {}) => new Prices().costOf(model, { ...tokens, ...more });

  it('fits a model whatever its provider adds to the name, and not the next version', () => {
    for (const name of ['claude-opus-4-5', 'claude-opus-4-5-20251101', 'claude-opus-4-5[1m]'])
      expect(costOf(name)).toBe(5);
    expect(costOf('us.anthropic.claude-opus-4-5-20251101-v1:0')).toBe(5);
    expect(costOf('anthropic/claude-opus-4-5@20251101')).toBe(5);
    expect(costOf('claude-opus-4-20250514')).toBe(15);
    for (const name of ['claude-opus-4-9', 'gpt-5', '', 'unknown', 'claude-opus'])
      expect(costOf(name)).toBeUndefined();
  });

  it('is that of a long prompt where the model has one', () => {
    expect(costOf('claude-haiku-5-5')).toBe(0.5);
    expect(costOf('claude-haiku-5-5', { input: 100_000 })).toBeCloseTo(0.01, 10);
  });

  it('is read from a setting, or is none', () => {
    expect(priceIn('x-* 1 2 3 4')).toMatchObject({ model: 'x-*', cacheHour: 2, cacheRead: 4 });
    expect(priceIn('x 1 2 3 4 5')).toMatchObject({ cacheWrite: 3, cacheRead: 4, cacheHour: 5 });
    for (const text of ['', 'x', 'x 1 2 3', 'x 1 2 3 -4', 'x 1 2 3 4 5 6', 'x a b c d'])
      expect(priceIn(text)).toBeUndefined();
  });
});

/** Messages and tokens of transcripts: of each message its last line, wherever it stands. */
function sumByHand(source: string): number[] {
  const names = source.endsWith('.jsonl')
    ? ['']
    : readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /projects\/.*\.jsonl$/.test(name),
      );
  const last = new Map<string, number[]>();
  for (const name of names)
    for (const line of readFileSync(path.join(source, name), 'utf8').split('\n')) {
      const { message } = line.includes('"usage"') ? JSON.parse(line) : {};
      if (!message?.usage) continue;
      const { usage } = message;
      last.set(message.id, [
        1,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_creation_input_tokens ?? 0,
        usage.cache_read_input_tokens ?? 0,
      ]);
    }
  const rows = [...last.values()].filter(([, ...tokens]) => tokens.some((n) => n > 0));
  return rows.reduce((sum, row) => sum.map((n, i) => n + row[i]!), [0, 0, 0, 0, 0]);
}

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../src/monitor/payload.ts';
import { newestUsage } from '../../src/monitor/tail.ts';
import { scratch } from '../support.ts';

const AUTO = { window: 0 };

const recordedAs = (name: string) =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../fixtures/status-line', name), 'utf8'));

const payload = (context_window: unknown, more: object = {}) => ({
  session_id: 's1',
  transcript_path: '/none.jsonl',
  cwd: '/p',
  model: { id: 'claude-opus-4-6', display_name: 'Opus 4.6' },
  workspace: { current_dir: '/p/sub' },
  context_window,
  ...more,
});

const usageOf = (tokens: number) => ({
  input_tokens: 3,
  output_tokens: 5000,
  cache_creation_input_tokens: 997,
  cache_read_input_tokens: tokens - 1000,
});

describe('the percent of a status line', () => {
  const forty = Array.from({ length: 40 }, (_, n) => 1000 + n * 4999);

  it.each(forty)('is the client’s, and the same from the transcript alone: %i tokens', (tokens) => {
    const percent = Math.round(tokens / 2000);
    const said = {
      context_window_size: 200_000,
      used_percentage: percent,
      current_usage: usageOf(tokens),
    };
    const { sample } = sampleOf(payload(said), AUTO);
    expect(sample).toMatchObject({ percent, tokens, window: 200_000, windowFrom: 'client' });
    expect(sampleOf(payload({ ...said, used_percentage: null }), AUTO).sample.percent).toBe(
      percent,
    );
    const transcript_path = path.join(scratch(), 's1.jsonl');
    const message = { model: 'claude-opus-4-6', usage: usageOf(tokens) };
    writeFileSync(
      transcript_path,
      `${JSON.stringify({ type: 'assistant', uuid: 'a', message })}\n`,
    );
    const alone = sampleOf(payload(undefined, { transcript_path }), AUTO, newestUsage).sample;
    expect(alone).toMatchObject({ percent, tokens, via: 'transcript', windowFrom: 'model' });
  });

  it('is unknown before the first call', () => {
    const none = { context_window_size: 200_000, used_percentage: null, current_usage: null };
    const { sample } = sampleOf(payload({ ...none, total_input_tokens: 0 }), AUTO);
    expect(sample).toMatchObject({ percent: null, tokens: null, isRough: false });
  });

  it.each([
    [
      'nothing',
      payload({ context_window_size: 200_000, used_percentage: null, current_usage: null }),
    ],
    ['0 %', recordedAs('claude-2.1.329-after-compact.json')],
  ])('is near after a compaction, when the client says %s', (_, said) => {
    const { sample } = sampleOf(said, AUTO, () => ({ tokens: 3362, end: 9, isRough: true }));
    expect(sample).toMatchObject({ percent: 2, tokens: 3362, isRough: true, via: 'transcript' });
  });

  it('is near where a client gives only its total', () => {
    expect(sampleOf(recordedAs('ccusage-1.0.88.json'), AUTO).sample).toEqual({
      tokens: 42_500,
      window: 200_000,
      windowFrom: 'client',
      percent: 21,
      isRough: true,
      via: 'statusline',
      model: 'claude-sonnet-4-20250514',
      costUsd: 0.056266149999999994,
    });
  });

  it('is of the window that the user set, or that the model has, where the client gives none', () => {
    const seen = { current_usage: usageOf(100_000) };
    expect(sampleOf(payload(seen), { window: 400_000 }).sample.percent).toBe(25);
    expect(sampleOf(payload(seen), AUTO).sample.percent).toBe(50);
    const large = { model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5 (1M context)' } };
    expect(sampleOf(payload(seen, large), AUTO).sample.percent).toBe(10);
    expect(sampleOf(payload({ current_usage: usageOf(534_859) }), AUTO).sample).toMatchObject({
      percent: 53,
      windowFrom: 'observed',
    });
  });

  it('has the account’s limits', () => {
    const five_hour = { used_percentage: 23.5, resets_at: 1_738_425_600 };
    const rate_limits = { five_hour, seven_day: { used_percentage: null } };
    expect(sampleOf(payload({}, { rate_limits }), AUTO).sample.limits).toEqual({
      fiveHour: { percent: 24, resetsAt: 1_738_425_600 },
    });
  });

  const hostile = [
    null,
    7,
    'text',
    [],
    {},
    { context_window: [] },
    { context_window: null, model: 3 },
  ];
  it.each([
    ...hostile,
    ...[-1, Number.NaN, Number.POSITIVE_INFINITY, 1e9, '31', {}, []].map((used_percentage) =>
      payload({
        used_percentage,
        context_window_size: used_percentage,
        total_input_tokens: used_percentage,
      }),
    ),
    payload({
      current_usage: { input_tokens: -5, cache_read_input_tokens: 1e300, iterations: [null, 3] },
    }),
    payload(
      {},
      { cost: { total_cost_usd: -1 }, rate_limits: { five_hour: 3 }, session_id: 5, cwd: {} },
    ),
  ])('is unknown, and nothing is thrown, for what makes no sense: %j', (what) => {
    const { sample } = sampleOf(what, AUTO);
    expect(sample).toMatchObject({ percent: null, tokens: null, window: 200_000 });
    expect(sample.costUsd).toBeUndefined();
  });
});

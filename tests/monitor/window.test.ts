import { describe, expect, it } from 'vitest';
import { windowBy, windowOf } from '../../src/monitor/window.ts';

describe('the window of a model', () => {
  it.each([
    ['claude-sonnet-4-20250514', 200_000],
    ['claude-3-5-sonnet-20241022', 200_000],
    ['claude-opus-4-6', 200_000],
    ['claude-opus-4-7', 1_000_000],
    ['claude-opus-4-8-20260401', 1_000_000],
    ['claude-opus-5', 1_000_000],
    ['claude-sonnet-5', 1_000_000],
    ['claude-fable-5', 1_000_000],
    ['claude-haiku-4-5', 200_000],
    ['claude-sonnet-4-5[1m]', 1_000_000],
    ['us.anthropic.claude-opus-4-20250514-v1:0', 200_000],
    ['gemini-3-pro', 1_048_576],
  ])('is known for %s', (model, window) => {
    expect(windowOf(model, {})).toEqual({ window, from: 'model' });
  });

  it.each([
    { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' },
    { CLAUDE_CODE_USE_BEDROCK: '1' },
    { CLAUDE_CODE_USE_VERTEX: 'true' },
    { ANTHROPIC_BASE_URL: 'https://gateway.example/api.anthropic.com' },
  ])('is the usual one elsewhere than at Anthropic’s API: %o', (env) => {
    expect(windowOf('claude-opus-5', env).window).toBe(200_000);
    expect(windowOf('claude-opus-5[1m]', env).window).toBe(1_000_000);
  });

  it('is large where a variable switches nothing off', () => {
    const env = { CLAUDE_CODE_USE_BEDROCK: '0', ANTHROPIC_BASE_URL: 'https://api.anthropic.com' };
    expect(windowOf('claude-opus-5', env).window).toBe(1_000_000);
  });

  it.each([undefined, '', 'gpt-9'])('is assumed for %o', (model) => {
    expect(windowOf(model, {})).toEqual({ window: 200_000, from: 'assumed' });
  });

  it('is the next size if more tokens were seen, unless the client or the user said it', () => {
    const model = 'claude-sonnet-4';
    expect(windowBy({ model }, 200_000)).toEqual({ window: 200_000, from: 'model' });
    expect(windowBy({ model }, 534_859)).toEqual({ window: 1_000_000, from: 'observed' });
    expect(windowBy({ model, said: 200_000 }, 534_859).window).toBe(200_000);
    expect(windowBy({ model, set: 200_000 }, 534_859).window).toBe(200_000);
  });
});

import type { ContextSampled } from '../events/types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const USUAL = 200_000;
const LARGE = 1_000_000;
const GEMINI = 1_048_576;
/** Tokens above a window that was only supposed show that it is the next larger one. */
const SIZES = [USUAL, LARGE, 2_000_000, 10_000_000];

/** What a client's number may be: all else is a mistake. */
export const TOKENS_MAX = 100_000_000;

/** Other ways to a model, which offer the usual window. */
const ELSEWHERE = [
  'CLAUDE_CODE_DISABLE_1M_CONTEXT',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];
const OWN_API = /^https:\/\/api\.anthropic\.com(?:\/|$)/;
const FAMILY = /(opus|sonnet|haiku|fable)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/;
/** The first version of each family whose window is large. */
const LARGE_SINCE: Readonly<Record<string, number>> = { opus: 4.07, sonnet: 5, fable: 5 };

export interface Window {
  window: number;
  from: ContextSampled['windowFrom'];
}

/** The context window of a model, from its name. */
export function windowOf(model?: string, env: Environment = process.env): Window {
  const name = (model ?? '').toLowerCase();
  const by = (window: number): Window => ({ window, from: 'model' });
  if (name.includes('[1m]') || name.includes('1m context')) return by(LARGE);
  if (name.startsWith('gemini')) return by(GEMINI);
  if (!name.includes('claude')) return { window: USUAL, from: 'assumed' };
  const [, family = '', major, minor = '0'] = FAMILY.exec(name) ?? [];
  const version = Number(major) + Number(minor) / 100;
  const isLarge = !isElsewhere(env) && version >= (LARGE_SINCE[family] ?? Number.POSITIVE_INFINITY);
  return by(isLarge ? LARGE : USUAL);
}

function isElsewhere(env: Environment): boolean {
  const { ANTHROPIC_BASE_URL: url } = env;
  const isOn = (name: string) => !['', '0', 'false', undefined].includes(env[name]);
  return ELSEWHERE.some(isOn) || (url !== undefined && url !== '' && !OWN_API.test(url));
}

/** As the client said it, else as the user set it, else by the model; tokens that were seen count more than what a name says. */
export function windowBy(
  { said, set, model }: { said?: number | null; set?: number; model?: string | null | undefined },
  tokens: number | null,
): Window {
  if (said) return { window: said, from: 'client' };
  if (set) return { window: set, from: 'setting' };
  const supposed = windowOf(model ?? undefined);
  if (tokens === null || tokens <= supposed.window) return supposed;
  return { window: SIZES.find((size) => size >= tokens) ?? tokens, from: 'observed' };
}

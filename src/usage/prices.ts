import { type Tokens, tokenCount } from '../projections/message-usage.ts';

/** The list prices below, without discounts (batches, subscriptions) and surcharges (regions, fast modes). */
export const PRICES_AS_OF = '2026-10-24';
export const PRICES_SOURCE = 'https://platform.claude.com/docs/en/about-claude/pricing';

/** Dollars per million tokens. */
export interface Price {
  /** `*` stands for any characters. */
  model: string;
  input: number;
  output: number;
  cacheWrite: number;
  /** Of what is kept for an hour. */
  cacheHour: number;
  cacheRead: number;
  /** Only for requests with more tokens in their prompt. */
  above?: number;
}

/** The first row that fits counts. A model that is not here has no price: the next version's may differ. */
const LIST: readonly Price[] = [
  row('claude-fable-5-1', 10, 50, 12.5, 20, 0.25),
  row('claude-mythos-5-1', 10, 50, 12.5, 20, 0.25),
  row('claude-fable-5', 10, 50, 12.5, 20, 1),
  row('claude-mythos-5', 10, 50, 12.5, 20, 1),
  row('claude-opus-5-5', 4, 20, 5, 8, 0.2),
  ...['5', '4-8', '4-7', '4-6', '4-5'].map((one) =>
    row(`claude-opus-${one}`, 5, 25, 6.25, 10, 0.5),
  ),
  ...['opus-4-1', 'opus-4', '3-opus'].map((one) => row(`claude-${one}`, 15, 75, 18.75, 30, 1.5)),
  row('claude-sonnet-5-5', 2, 10, 2.5, 4, 0.1),
  row('claude-sonnet-5', 2, 10, 2.5, 4, 0.2),
  ...['sonnet-4-6', 'sonnet-4-5', 'sonnet-4', '3-7-sonnet', '3-5-sonnet'].map((one) =>
    row(`claude-${one}`, 3, 15, 3.75, 6, 0.3),
  ),
  { ...row('claude-haiku-5-5', 0.5, 2.5, 0.625, 1, 0.05), above: 100_000 },
  row('claude-haiku-5-5', 0.1, 0.5, 0.125, 0.2, 0.01),
  row('claude-haiku-4-5', 1, 5, 1.25, 2, 0.1),
  row('claude-3-5-haiku', 0.8, 4, 1, 1.6, 0.08),
  row('claude-3-haiku', 0.25, 1.25, 0.3, 0.5, 0.03),
];

function row(
  model: string,
  ...[input, output, cacheWrite, cacheHour, cacheRead]: [number, number, number, number, number]
): Price {
  return { model, input, output, cacheWrite, cacheHour, cacheRead };
}

/** `claude-opus-5* 5 25 6.25 0.5`, and the price of an hour's cache if it is not twice the input's. */
const SETTING = /^(\S{1,100}) +(\d+(?:\.\d+)?(?: +\d+(?:\.\d+)?){3,4})$/;

/** A price as the setting `usage.prices` has it: MODEL, then dollars per million for input, output, cache write, cache read. */
export function priceIn(text: string): Price | undefined {
  const [, model, numbers] = SETTING.exec(text.trim()) ?? [];
  if (model === undefined || numbers === undefined) return undefined;
  const [input, output, cacheWrite, cacheRead, hour] = numbers.split(/ +/).map(Number) as [
    number,
    number,
    number,
    number,
    number?,
  ];
  return row(model, input, output, cacheWrite, hour ?? 2 * input, cacheRead);
}

/** What a client or provider adds to a model's name: `us.anthropic.`, `-20251101`, `-v1:0`, `@20251101`, `[1m]`. */
const PREFIX = /^.*[./](?=claude-)/;
const SUFFIX = /(?:[-@]\d{8}|-latest|-v\d+(?::\d+)?|\[\w{1,8}\])+$/;

/** Finds what a message cost; a model's own rows come before the list. */
export class Prices {
  readonly #rows: readonly { price: Price; fits: RegExp }[];

  constructor(own: readonly Price[] = []) {
    this.#rows = [...own, ...LIST].map((price) => ({ price, fits: patternOf(price.model) }));
  }

  /** In dollars; undefined if the model has no price. */
  costOf(model: string, tokens: Tokens): number | undefined {
    const name = model.replace(PREFIX, '').replace(SUFFIX, '');
    const prompt = tokenCount(tokens) - tokens.output;
    const found = this.#rows.find(
      ({ price: { above = -1 }, fits }) => prompt > above && (fits.test(name) || fits.test(model)),
    );
    return found && costAt(found.price, tokens);
  }
}

const patternOf = (model: string): RegExp =>
  new RegExp(`^${model.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 'i');

const costAt = (
  price: Price,
  { input, output, cacheWrite, cacheHour, cacheRead }: Tokens,
): number =>
  (input * price.input +
    output * price.output +
    (cacheWrite - cacheHour) * price.cacheWrite +
    cacheHour * price.cacheHour +
    cacheRead * price.cacheRead) /
  1e6;

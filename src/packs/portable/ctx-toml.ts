import { isUtf8 } from 'node:buffer';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod';
import type { TreeProblem } from '../../platform/config/value.ts';
import type { Policy } from '../render/pack.ts';
import { VERSION } from './portable.ts';
import { type Fail, recordOf, type Said, shaped } from './read.ts';

const BUDGET_DEFAULT = 128_000;
const DEPTH_MAX = 50;

const artifact = z
  .strictObject({ source: z.string(), priority: z.number().optional() })
  .transform(({ source, ...rest }) => {
    // Revisions stand in ctx's source of a diff, and beside ours.
    const [kind, ...words] = source.split(/\s+/);
    const options = words.map((word) => /^--(base|head)=(.*)$/.exec(word)?.slice(1));
    return kind === 'git:diff' && options.every((one) => one !== undefined)
      ? { ...rest, source: kind, options: Object.fromEntries(options) }
      : { ...rest, source };
  });
const file = z.strictObject({
  config: z.strictObject({ default_budget: z.number().optional() }).default({}),
  packs: recordOf(
    z.string(),
    z.strictObject({ budget: z.number().optional(), artifacts: z.array(artifact).default([]) }),
  ).default({}),
});

/** A project's packs as github.com/vladisov/ctx keeps them: a budget, and sources with priorities. */
export function readCtxToml(bytes: Buffer, fail: Fail): Said {
  if (!isUtf8(bytes)) throw fail({ line: 1, message: 'the file is not UTF-8 text' });
  const text = bytes.toString('utf8');
  const placeOf = ({ path }: Pick<TreeProblem, 'path'>) => ({ line: lineOf(text, path) });
  const { config, packs } = shaped({ value: parsed(text, fail), placeOf }, file, fail);
  const converted = Object.entries(packs).map(([name, { budget, artifacts }]) => {
    const budgetTokens = budget ?? config.default_budget ?? BUDGET_DEFAULT;
    const policy: Policy = { budgetTokens, fill: 'prefix', tokenizer: 'cl100k', layout: 'rank' };
    return [name, { policy, artifacts }];
  });
  return { value: { version: VERSION, packs: Object.fromEntries(converted) }, placeOf };
}

function parsed(text: string, fail: Fail): unknown {
  try {
    return parse(text, { maxDepth: DEPTH_MAX });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, message } = error;
    throw fail({ line, column, message: `not valid TOML: ${message.split('\n', 1)[0]}` });
  }
}

/** The parser keeps no places: the names of the way to it are looked for, one behind the other. */
function lineOf(text: string, way: TreeProblem['path']): number {
  let at = 0;
  let times = 1;
  for (const step of way) {
    if (typeof step === 'number') times = step + 1;
    else {
      for (; times > 0; times -= 1) {
        const found = text.indexOf(step, at);
        if (found === -1) break;
        at = found + step.length;
      }
      times = 1;
    }
  }
  return text.slice(0, at).split('\n').length;
}

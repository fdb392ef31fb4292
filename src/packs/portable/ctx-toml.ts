import { isUtf8 } from 'node:buffer';
import { parse, TomlError } from 'smol-toml';
import * as f from '../../events/fields.ts';
import type { TreeProblem } from '../../platform/config/value.ts';
import type { Policy } from '../render/pack.ts';
import type { Fail, PortableFile, Said } from './read.ts';
import { problemIn } from './shape-problem.ts';
import { VERSION } from './write.ts';

const file = f.object({
  config: f.optional(f.object({ default_budget: f.optional(f.number) })),
  packs: f.optional(
    f.record(
      f.object({
        budget: f.optional(f.number),
        artifacts: f.optional(
          f.list(f.object({ source: f.words, priority: f.optional(f.number) })),
        ),
      }),
    ),
  ),
});

/** What ctx gives a pack without a budget. */
const BUDGET_DEFAULT = 128_000;
const DEPTH_MAX = 50;

/** A project's packs as github.com/vladisov/ctx keeps them: a budget, and sources with priorities. */
export function readCtxToml(bytes: Buffer, fail: Fail): Said {
  if (!isUtf8(bytes)) throw fail({ line: 1, message: 'the file is not UTF-8 text' });
  const text = bytes.toString('utf8');
  const value = parsed(text, fail);
  const placeOf = ({ path }: Pick<TreeProblem, 'path'>) => ({ line: lineOf(text, path) });
  const problem = problemIn(value, file);
  if (problem !== undefined) throw fail({ ...placeOf(problem), message: problem.message });
  const { config, packs = {} } = value as f.TypeOf<typeof file>;
  const converted = Object.entries(packs).map(([name, { budget, artifacts = [] }]) => {
    const policy: Policy = {
      budgetTokens: budget ?? config?.default_budget ?? BUDGET_DEFAULT,
      fill: 'prefix',
      tokenizer: 'cl100k',
      layout: 'rank',
    };
    return [name, { policy, artifacts: artifacts.map(artifactOf) }] as const;
  });
  return { file: { version: VERSION, packs: Object.fromEntries(converted) }, placeOf };
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

/** Revisions stand in ctx's source of a diff, and beside ours. */
function artifactOf({ source, priority = 0 }: { source: string; priority?: number }) {
  const [kind, ...words] = source.split(/\s+/);
  if (kind !== 'git:diff') return { source, priority };
  const options: PortableFile['packs'][string]['artifacts'][number]['options'] = {};
  for (const word of words) {
    const [, name, value] = /^--(base|head)=(.*)$/.exec(word) ?? [];
    // Left in the source, it is refused with it.
    if (name === undefined) return { source, priority };
    options[name as 'base' | 'head'] = value!;
  }
  return { source: kind, priority, options };
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

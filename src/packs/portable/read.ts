import path from 'node:path';
import * as z from 'zod';
import { kind as kinds, options, policy } from '../../events/families/pack.ts';
import { zodOf } from '../../events/schema.ts';
import { isOf } from '../../events/shape.ts';
import type { PackOptions, PackPolicy } from '../../events/types.ts';
import { BUDGET_TOKENS_MAX, BUDGET_TOKENS_MIN } from '../../platform/config/keys.ts';
import { shown, type TreeProblem } from '../../platform/config/value.ts';
import { readTree } from '../../platform/config/yaml-tree.ts';
import { Ben10Error, type ErrorPlace, errno } from '../../platform/errors.ts';
import { readFile } from '../../platform/files.ts';
import type { FileSystem } from '../../platform/fs.ts';
import {
  ARTIFACTS_MAX,
  isSameArtifact,
  PACK_NAME,
  PACKS_MAX,
} from '../../projections/folds/packs.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { PRIORITY_MAX } from '../change.ts';
import type { Kind } from '../render/pack.ts';
import { parseSource } from '../render/source.ts';
import { optionsFor } from '../to-add.ts';
import { type PortableArtifact, type PortablePack, VERSION } from './portable.ts';

const FILE_BYTES_MAX = 4 * 1024 * 1024;

const artifact = z
  .strictObject({
    source: z.string().optional(),
    text: z.string().optional(),
    priority: z.int().min(-PRIORITY_MAX).max(PRIORITY_MAX).default(0),
    options: (zodOf(options, z.strictObject) as z.ZodType<PackOptions>).default({}),
    /** For people; the kind of source says it. */
    local: z.boolean().optional(),
  })
  .transform(({ source, text, priority, options: asked }, { addIssue }) => {
    const [key, given] = source === undefined ? ['text', `text:${text}`] : ['source', source];
    const wrong = (message: string) => {
      addIssue({ code: 'custom', message, path: [key] });
      return z.NEVER;
    };
    if ((source === undefined) === (text === undefined))
      return wrong('an artifact has either a source or a text');
    if (given.startsWith('url:'))
      return `${oneLine(given)} is left out: ben10 fetches nothing from the network`;
    try {
      const parsed = parseSource(given);
      return { ...parsed, priority, options: optionsFor(parsed.kind, asked) };
    } catch (error) {
      if (error instanceof Ben10Error) return wrong(error.message);
      throw error;
    }
  });

const ITEM = /^([0-9a-f]{64}) (\d{1,8}) ([a-z_]+) ([\s\S]*)$/;

const lockedItem = z.string().transform((line, { addIssue }) => {
  const [, sha256 = '', tokens, kind, label = ''] = ITEM.exec(line) ?? [];
  if (!isOf(kind, kinds)) addIssue('expected SHA-256, tokens, kind and label');
  return { kind: kind as Kind, label, tokens: Number(tokens), sha256 };
});

const pack = z
  .strictObject({
    policy: (zodOf(policy, z.strictObject) as z.ZodType<PackPolicy>).refine(
      ({ budgetTokens: budget }) =>
        budget === null ||
        (Number.isInteger(budget) && budget >= BUDGET_TOKENS_MIN && budget <= BUDGET_TOKENS_MAX),
      { path: ['budgetTokens'], error: 'that is no budget' },
    ),
    artifacts: z.array(artifact).max(ARTIFACTS_MAX),
    lock: z
      .strictObject({
        render_hash: z.string().regex(/^[0-9a-f]{64}$/, 'it is no SHA-256'),
        items: z.array(lockedItem),
      })
      .optional(),
  })
  .transform((given, { addIssue }) => {
    const notes: string[] = [];
    const artifacts: PortableArtifact[] = [];
    for (const [n, one] of given.artifacts.entries()) {
      if (typeof one === 'string') {
        notes.push(one);
        continue;
      }
      const { allowSensitive, ...own } = one.options;
      const taken = { ...one, options: own };
      if (artifacts.some((other) => isSameArtifact(other, taken)))
        addIssue({ code: 'custom', message: 'it is there twice', path: ['artifacts', n] });
      if (allowSensitive)
        notes.push(`${oneLine(one.source)} gives no sensitive files: a file cannot allow that`);
      artifacts.push(taken);
    }
    const { lock } = given;
    const locked = lock && { lock: { renderHash: lock.render_hash, items: lock.items } };
    return { policy: given.policy, artifacts, ...locked, notes };
  });

/** The library passes over this one key. */
export function recordOf<T>(key: z.ZodString, value: z.ZodType<T>) {
  const hasNone = (given: unknown) => !Object.hasOwn(Object(given), '__proto__');
  return z.custom(hasNone, '"__proto__" is no name').pipe(z.record(key, value));
}

const name = z.string().regex(PACK_NAME, {
  error: ({ input }) => `"${shown(String(input))}" is no name for a pack`,
});
const file = z.strictObject({
  version: z.literal(VERSION),
  packs: recordOf(name, pack).refine(
    (all) => Object.keys(all).length <= PACKS_MAX,
    `there are more than ${PACKS_MAX} packs`,
  ),
});

export interface Said {
  value: unknown;
  placeOf(problem: Pick<TreeProblem, 'path' | 'atKey'>): ErrorPlace;
}

export type Fail = (problem: ErrorPlace & { message: string }) => Ben10Error;

/** The packs of a file that somebody else may have written: all of them, or none. @throws Ben10Error CONFIG_INVALID, FS_… */
export async function readPacks(fs: FileSystem, given: string): Promise<PortablePack[]> {
  const fail: Fail = ({ message, ...place }) =>
    new Ben10Error('CONFIG_INVALID', message, {
      place: { file: given, ...place },
      next: `Correct it in ${oneLine(given)}. Nothing was changed.`,
    });
  const bytes = bytesOf(fs, given, fail);
  const isToml = path.extname(given).toLowerCase() === '.toml';
  const said = isToml
    ? (await import('./ctx-toml.ts')).readCtxToml(bytes, fail)
    : readYaml(bytes, fail);
  const { packs } = shaped(said, file, fail);
  return Object.entries(packs).map(([one, rest]) => ({ name: one, ...rest }));
}

function bytesOf(fs: FileSystem, given: string, fail: Fail): Buffer {
  try {
    return readFile(fs, given, FILE_BYTES_MAX);
  } catch (error) {
    const code = errno(error);
    if (code === 'EFBIG') throw fail({ message: 'the file has more than 4 MiB' });
    if (code === undefined) throw error;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const why = isMissing ? `does not exist (${code})` : `cannot be read (${code})`;
    throw new Ben10Error(
      isMissing ? 'FS_NOT_FOUND' : 'FS_READ_ERROR',
      `${oneLine(given)} ${code === 'EISDIR' ? 'is not a regular file' : why}`,
      { next: 'Give a file that ben10 pack export wrote, or a ctx.toml.', cause: error },
    );
  }
}

function readYaml(bytes: Buffer, fail: Fail): Said {
  const tree = readTree(bytes);
  if (tree.fault !== undefined) throw fail(tree.fault);
  const alias = tree.firstAlias();
  if (alias !== undefined) throw fail({ ...alias, message: 'aliases are not allowed here' });
  return { value: tree.value(), placeOf: tree.placeOf };
}

/** What a schema makes of it, or its first mistake. */
export function shaped<T>({ value, placeOf }: Said, schema: z.ZodType<T>, fail: Fail): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data as T;
  const [issue] = error.issues;
  const way = issue!.path as TreeProblem['path'];
  if (issue!.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    throw fail({
      ...placeOf({ path: [...way, key], atKey: true }),
      message: `"${shown(key)}" is unknown`,
    });
  }
  if (issue!.code === 'invalid_key')
    throw fail({ ...placeOf({ path: way, atKey: true }), message: issue.issues[0]!.message });
  throw fail({ ...placeOf({ path: way }), message: issue!.message });
}

import path from 'node:path';
import { kind as kinds, options, policy } from '../../events/families/pack.ts';
import * as f from '../../events/fields.ts';
import { isOf } from '../../events/shape.ts';
import { BUDGET_TOKENS_MAX, BUDGET_TOKENS_MIN } from '../../platform/config/keys.ts';
import type { TreeProblem } from '../../platform/config/value.ts';
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
import type { Lock, PortableArtifact, PortablePack } from './portable.ts';
import { problemIn } from './shape-problem.ts';
import { VERSION } from './write.ts';

const FILE_BYTES_MAX = 4 * 1024 * 1024;

const artifact = f.object({
  source: f.optional(f.words),
  text: f.optional(f.words),
  priority: f.optional(f.number),
  options: f.optional(options),
  /** For people; the kind of source says it. */
  local: f.optional(f.flag),
});
const pack = f.object({
  policy,
  artifacts: f.list(artifact),
  lock: f.optional(f.object({ render_hash: f.words, items: f.list(f.words) })),
});
const file = f.object({ version: f.number, packs: f.record(pack) });
export type PortableFile = f.TypeOf<typeof file>;
type Given = PortableFile['packs'][string];

/** What a file says, and where it says it. */
export interface Said {
  file: PortableFile;
  placeOf(problem: Pick<TreeProblem, 'path' | 'atKey'>): ErrorPlace;
}

/** The packs of a file that somebody else may have written: all of them, or none. @throws Ben10Error CONFIG_INVALID, FS_… */
export async function readPacks(fs: FileSystem, name: string): Promise<PortablePack[]> {
  const fail: Fail = ({ message, ...place }) =>
    new Ben10Error('CONFIG_INVALID', message, {
      place: { file: name, ...place },
      next: `Correct it in ${oneLine(name)}. Nothing was changed.`,
    });
  const bytes = bytesOf(fs, name, fail);
  const isToml = path.extname(name).toLowerCase() === '.toml';
  const said = isToml
    ? (await import('./ctx-toml.ts')).readCtxToml(bytes, fail)
    : readYaml(bytes, fail);
  return checked(await said, fail);
}

export type Fail = (problem: ErrorPlace & { message: string }) => Ben10Error;

function bytesOf(fs: FileSystem, name: string, fail: Fail): Buffer {
  try {
    return readFile(fs, name, FILE_BYTES_MAX);
  } catch (error) {
    const code = errno(error);
    if (code === 'EFBIG') throw fail({ message: 'the file has more than 4 MiB' });
    if (code === undefined) throw error;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const why = isMissing ? `does not exist (${code})` : `cannot be read (${code})`;
    throw new Ben10Error(
      isMissing ? 'FS_NOT_FOUND' : 'FS_READ_ERROR',
      `${oneLine(name)} ${code === 'EISDIR' ? 'is not a regular file' : why}`,
      { next: 'Give a file that ben10 pack export wrote, or a ctx.toml.', cause: error },
    );
  }
}

function readYaml(bytes: Buffer, fail: Fail): Said {
  const tree = readTree(bytes);
  if (tree.fault !== undefined) throw fail(tree.fault);
  const alias = tree.firstAlias();
  if (alias !== undefined) throw fail({ ...alias, message: 'aliases are not allowed here' });
  const value = tree.value();
  const version = (value as Partial<PortableFile> | null)?.version;
  const problem =
    typeof version === 'number' && version !== VERSION
      ? { path: ['version'], message: `version ${version} is unknown; this ben10 knows ${VERSION}` }
      : problemIn(value, file);
  if (problem !== undefined) throw fail({ ...tree.placeOf(problem), message: problem.message });
  return { file: value as PortableFile, placeOf: tree.placeOf };
}

function checked({ file: { packs }, placeOf }: Said, fail: Fail): PortablePack[] {
  const wrong = (way: TreeProblem['path'], message: string, atKey = false): Ben10Error =>
    fail({ message, ...placeOf({ path: ['packs', ...way], ...(atKey && { atKey }) }) });
  const entries = Object.entries(packs);
  if (entries.length > PACKS_MAX) throw wrong([], `there are more than ${PACKS_MAX} packs`);
  return entries.map(([name, given]): PortablePack => {
    if (!PACK_NAME.test(name))
      throw wrong([name], `"${oneLine(name).slice(0, 60)}" is no name for a pack`, true);
    const { budgetTokens } = given.policy;
    if (budgetTokens !== null && !isWhole(budgetTokens, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX))
      throw wrong([name, 'policy', 'budgetTokens'], `${budgetTokens} is no budget`);
    if (given.artifacts.length > ARTIFACTS_MAX)
      throw wrong([name, 'artifacts', ARTIFACTS_MAX], `there are more than ${ARTIFACTS_MAX}`);
    const notes: string[] = [];
    const artifacts: PortableArtifact[] = [];
    for (const [n, one] of given.artifacts.entries()) {
      if (one.source?.startsWith('url:')) {
        notes.push(`${oneLine(one.source)} is left out: ben10 fetches nothing from the network`);
        continue;
      }
      const at = (message: string, key: string) => wrong([name, 'artifacts', n, key], message);
      const read = artifactOf(one, at);
      const { allowSensitive, ...options } = read.options;
      if (artifacts.some((it) => isSameArtifact(it, { ...read, options })))
        throw at('it is there twice', 'source');
      if (allowSensitive)
        notes.push(`${oneLine(read.source)} gives no sensitive files: a file cannot allow that`);
      artifacts.push({ ...read, options });
    }
    const lock = lockOf(given, (message, ...way) => wrong([name, 'lock', ...way], message));
    return {
      name,
      policy: given.policy,
      artifacts,
      ...(lock && { lock }),
      notes,
    };
  });
}

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

function artifactOf(
  { source, text, priority = 0, options: asked = {} }: Given['artifacts'][number],
  wrong: (message: string, key: string) => Ben10Error,
): PortableArtifact {
  if ((source === undefined) === (text === undefined))
    throw wrong('an artifact has either a source or a text', 'source');
  if (!isWhole(priority, -PRIORITY_MAX, PRIORITY_MAX))
    throw wrong(`${priority} is no priority`, 'priority');
  const [key, given] = source === undefined ? ['text', `text:${text}`] : ['source', source];
  try {
    const parsed = parseSource(given);
    return { ...parsed, priority, options: optionsFor(parsed.kind, asked) };
  } catch (error) {
    if (error instanceof Ben10Error) throw wrong(error.message, key);
    throw error;
  }
}

const DIGEST = /^[0-9a-f]{64}$/;
const ITEM = /^([0-9a-f]{64}) (\d{1,8}) ([a-z_]+) ([\s\S]*)$/;

function lockOf(
  { lock }: Given,
  wrong: (message: string, ...way: TreeProblem['path']) => Ben10Error,
): Lock | undefined {
  if (lock === undefined) return undefined;
  if (!DIGEST.test(lock.render_hash)) throw wrong('it is no SHA-256', 'render_hash');
  const items = lock.items.map((line, n) => {
    const [, sha256 = '', tokens, kind, label = ''] = ITEM.exec(line) ?? [];
    if (!isOf(kind, kinds)) throw wrong('expected SHA-256, tokens, kind and label', 'items', n);
    return { kind: kind as Kind, label, tokens: Number(tokens), sha256 };
  });
  return { renderHash: lock.render_hash, items };
}

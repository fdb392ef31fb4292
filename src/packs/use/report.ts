import type { MessageRecorded, ToolCalled, ToolSucceeded } from '../../events/types.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { Fact } from '../../projections/contract.ts';
import { isChange } from '../../projections/folds/files.ts';
import { fileOf, isObject, textOf } from '../../projections/tools-text.ts';
import { wholeText } from '../../timetravel/tracked-files.ts';
import { textIn } from '../compare.ts';
import type { ManifestItem } from '../kept/payload-file.ts';
import { payloadOf } from '../kept/snapshots.ts';
import { packNamed, packsAt } from '../of-project.ts';
import { contentOf } from '../render/content.ts';
import { isAway, namesIn } from '../sources/file-facts.ts';
import { type Factor, factorsOf } from './factor.ts';
import { type Given, givenIn } from './given.ts';

/** What became of an item in the sessions that had it. */
export interface ItemUse {
  label: string;
  /** Of its newest form. */
  tokens: number;
  /** How often it was given, and in how many of these times each was so. */
  given: number;
  edited: number;
  named: number;
  /** Read again with the same bytes, and the tokens that this took. */
  readAgain: number;
  readTokens: number;
}

export interface PackReport {
  given: number;
  sessions: number;
  /** Times that cannot be judged: what was given is lost or erased. */
  lost: number;
  /** Of all the tokens that were given, those of items that were of use, 0 to 1; null if there are none. */
  usedShare: number | null;
  /** As the pack had them. */
  items: ItemUse[];
  /** Files that were opened soon and were not in it, in how many sessions. */
  missed: { file: string; sessions: number }[];
  /** By model. */
  factors: Factor[];
}

/** Calls in which a file counts as opened because of the work that the pack was for. */
const SOON_CALLS = 20;

/** Use is not usefulness: what nobody touched may have helped all the same. @throws Ben10Error PACK_NOT_FOUND */
export function reportOf(project: Project, name: string): PackReport {
  packNamed(packsAt(project), name);
  const all = givenIn(project, name);
  const items = new Map<string, ItemUse>();
  const missed = new Map<string, Set<string>>();
  const nameOf = namesIn(project.dir);
  let [lost, used, whole] = [0, 0, 0];
  for (const given of all) {
    const kept = keptOf(project, given);
    if (kept === undefined) {
      lost += 1;
      continue;
    }
    const did = given.after.flatMap((fact) => callOf(project, fact, nameOf));
    for (const item of kept) {
      const use = useOf(item, kept, { given, did, project });
      const known = items.get(item.label) ?? { label: item.label, ...NONE };
      for (const key of COUNTED) known[key] += use[key];
      known.tokens = item.tokens;
      items.set(item.label, known);
      whole += item.tokens;
      if (use.edited + use.named + use.readAgain > 0) used += item.tokens;
    }
    const had = new Set(kept.map(({ path }) => path));
    const soon = given.after.filter(({ type }) => type === 'tool.called').slice(0, SOON_CALLS);
    const last = soon.at(-1)?.seq;
    for (const { file, seq, isNew } of did) {
      if (last === undefined || !soon.some((fact) => fact.seq === seq)) continue;
      if (had.has(file) || isNew) continue;
      missed.set(file, (missed.get(file) ?? new Set()).add(given.session));
    }
  }
  return {
    given: all.length,
    sessions: new Set(all.map(({ session }) => session)).size,
    lost,
    usedShare: whole === 0 ? null : used / whole,
    items: [...items.values()],
    missed: [...missed]
      .map(([file, sessions]) => ({ file, sessions: sessions.size }))
      .sort((a, b) => b.sessions - a.sessions || (a.file < b.file ? -1 : 1)),
    factors: factorsOf(all),
  };
}

const COUNTED = ['given', 'edited', 'named', 'readAgain', 'readTokens'] as const;
const NONE = { tokens: 0, given: 0, edited: 0, named: 0, readAgain: 0, readTokens: 0 };

type Item = ManifestItem & { text: string };

function keptOf(project: Project, { record }: Given): Item[] | undefined {
  try {
    const kept = payloadOf(project, record);
    return kept.manifest.map((item) => ({ ...item, text: textIn(kept, item) }));
  } catch (error) {
    if (error instanceof Ben10Error && error.code === 'CHECKSUM_MISMATCH') return undefined;
    throw error;
  }
}

interface Did {
  seq: number;
  file: string;
  isEdit: boolean;
  /** It made the file. */
  isNew: boolean;
  toolUseId: string;
}

function callOf(
  project: Project,
  { type, seq, data }: Fact,
  nameOf: (file: string) => string,
): Did[] {
  if (type !== 'tool.called') return [];
  const { name: tool, input, toolUseId } = data as ToolCalled;
  const isEdit = isChange(tool);
  const recorded = isEdit || tool === 'Read' ? fileOf(input) : undefined;
  const file = recorded === undefined ? '' : nameOf(recorded);
  if (file === '' || isAway(file) || project.excludedBy(file) !== undefined) return [];
  return [{ seq, file, isEdit, isNew: tool === 'Write', toolUseId }];
}

interface Around {
  given: Given;
  did: readonly Did[];
  project: Project;
}

function useOf(item: Item, all: readonly Item[], { given, did, project }: Around) {
  const own = did.filter(({ file }) => file === item.path);
  const reads = own
    .filter(({ isEdit }) => !isEdit)
    .map(({ toolUseId }) => readTokens(project, item, given.after, toolUseId));
  const again = reads.filter((tokens) => tokens > 0);
  return {
    given: 1,
    edited: own.some(({ isEdit }) => isEdit) ? 1 : 0,
    named: isNamed(item, all, given.after) ? 1 : 0,
    readAgain: again.length > 0 ? 1 : 0,
    readTokens: again.reduce((sum, tokens) => sum + tokens, 0),
  };
}

/** What a Read took of the item's tokens: all, or the part of its lines; 0 if it gave something else. */
function readTokens(project: Project, item: Item, after: readonly Fact[], id: string): number {
  const end = after.find(
    ({ type, data }) => type === 'tool.succeeded' && (data as ToolSucceeded).toolUseId === id,
  );
  const { response } = (end?.data ?? {}) as Partial<ToolSucceeded>;
  const file = isObject(response) ? response.file : undefined;
  const text = isObject(file) ? wholeText(project, file.content as string) : undefined;
  if (text === undefined || text === '') return 0;
  // As the pack would have it: redacted, and without what could pass for a frame.
  const content = contentOf(Buffer.from(text), undefined, project.redaction);
  if (typeof content === 'string' || !item.text.includes(content.text)) return 0;
  return Math.round((item.tokens * content.text.length) / item.text.length);
}

/** By its path, or by its last part if no other item has the same, in what was said or run. */
function isNamed({ path }: Item, all: readonly Item[], after: readonly Fact[]): boolean {
  if (path === undefined) return false;
  const base = baseOf(path);
  const isOnly = all.every((one) => one.path === path || baseOf(one.path ?? '') !== base);
  const names = isOnly ? [path, base] : [path];
  return after.some((fact) => names.some((name) => holds(saidIn(fact), name)));
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function saidIn({ type, data }: Fact): string {
  if (type === 'message.recorded') {
    const { kind, text } = data as MessageRecorded;
    return kind === 'text' ? (textOf(text) ?? '') : '';
  }
  if (type === 'prompt.submitted') return textOf((data as { text: unknown }).text) ?? '';
  const { input } = data as Partial<ToolCalled>;
  return type === 'tool.called' && isObject(input) ? (textOf(input.command) ?? '') : '';
}

const PART_OF_NAME = /[\w./-]/;

/** As a word of its own. */
function holds(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]];
    const isWhole = after === '.' || !PART_OF_NAME.test(after);
    if (isWhole && (!PART_OF_NAME.test(before) || before === '/')) return true;
  }
  return false;
}

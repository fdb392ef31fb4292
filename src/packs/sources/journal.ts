import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { headOf } from '../../projections/bounds.ts';
import { isChange } from '../../projections/folds/files.ts';
import type { Cut } from '../../projections/gather.ts';
import { comparePlaces, type Place } from '../../projections/order.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import { preferences } from '../../timetravel/preferences.ts';
import { type ResolvedPoint, resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { keptOf } from '../output-ends.ts';
import type { Artifact, Found } from '../render/pack.ts';
import { journalIn } from '../render/source.ts';
import { byteText } from '../render/tokens.ts';
import {
  type CommandRun,
  commandRuns,
  exitCodeOf,
  lastRun,
  outputOf,
  stillFailing,
} from './command-runs.ts';
import { type FileFact, fileFacts, isAway } from './file-facts.ts';
import type { SourceOf } from './sources.ts';

/** Of an output, 64 KiB with the line that says what is left out; more depends on its end. */
const LIMITS = { first: 16 * 1024, last: 48 * 1024 - 100 };
const NOTHING = Buffer.alloc(0);
const COMMAND_CHARS = 200;

/** Which part of the journal an artifact asks for. */
interface Scope {
  session: string | undefined;
  cut: Cut;
  isSince(one: { seq: number; place: Place | null }): boolean;
}

/**
 * What the journal knows: files as they are now, what commands printed, the user's rules. Each names its events beside its bytes, for
 * a number in them would change with the journal, and the bytes must not.
 */
export const journalSource: SourceOf = async (project, artifact, at) => {
  const scope = scopeOf(project, artifact, at);
  const { what, pattern } = journalIn(artifact);
  if (scope === undefined) return [{ ...aboutIt(artifact), reason: 'unknown_then' }];
  if (what === 'rules') return rules(project, scope);
  if (what !== 'failed' && what !== 'run') return files(project, what, scope);
  const runs = commandRuns(project, scope).filter(scope.isSince);
  if (what === 'failed') return stillFailing(runs, project.dir).map((run) => foundOf(project, run));
  const last = lastRun(runs, pattern);
  return [
    last === undefined ? { ...aboutIt(artifact), reason: 'not_captured' } : foundOf(project, last),
  ];
};

const aboutIt = ({ source }: Artifact) => ({ label: source, attributes: {} });

/** Undefined where the journal has no such session or point. @throws Ben10Error POINT_INVALID */
function scopeOf(
  project: Project,
  { options }: Artifact,
  at: ResolvedPoint | undefined,
): Scope | undefined {
  try {
    const session =
      options.session === undefined ? undefined : findSession(project, options.session);
    const cut = at?.cut ?? {};
    if (options.since === undefined) return { session, cut, isSince: () => true };
    const since = resolvePoint(project, options.since, { session, edge: 'from', from: at });
    if (at !== undefined && since.seq > at.seq) return undefined;
    const { before, upto = 0 } = since.cut;
    const isSince: Scope['isSince'] = ({ seq, place }) =>
      before === undefined ? seq > upto : place !== null && comparePlaces(place, before) >= 0;
    return { session, cut, isSince };
  } catch (error) {
    if (error instanceof Ben10Error && error.code !== 'POINT_INVALID') return undefined;
    throw error;
  }
}

type FilesOf = 'touched' | 'edited' | 'read';

/** By name: to touch one again must not move the others. */
function files(project: Project, what: FilesOf, scope: Scope): Found[] {
  const used = new Map<string, number>();
  for (const fact of fileFacts(project, scope))
    if (scope.isSince(fact) && isUse(fact, what)) used.set(fact.name, fact.seq);
  const key = (name: string): string => byteText(name.normalize('NFC'));
  return [...used]
    .map(([name, seq]) => ({ name, events: [seq], key: key(name) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ name, events }) =>
      isAway(name) ? { path: name, reason: 'outside', events } : { path: name, events },
    );
}

function isUse(fact: FileFact, what: FilesOf): boolean {
  if ('merged' in fact) return false;
  const { edits, reads } =
    'record' in fact
      ? fact.record
      : { edits: isChange(fact.tool) ? 1 : 0, reads: fact.tool === 'Read' ? 1 : 0 };
  return (what !== 'read' && edits > 0) || (what !== 'edited' && reads > 0);
}

function foundOf(project: Project, run: CommandRun): Found {
  const label = headOf(withVisible(project.redact(oneLine(run.command))), COMMAND_CHARS);
  const exit = exitCodeOf(run);
  const attributes = { cmd: label, ...(exit !== null && { exit: `${exit}` }) };
  const output = outputOf(project, run);
  const about = { label, attributes, events: [run.seq] };
  if (output === undefined) return { ...about, reason: 'missing' };
  const first = Buffer.from(output);
  const all = { first, last: NOTHING, bytes: first.length };
  return { ...about, text: keptOf(all, project.redaction, LIMITS).output };
}

/** What the user keeps asking for. */
function rules(project: Project, { session, cut, isSince }: Scope): Found[] {
  const all = preferences(project, { session, cut }).filter(
    ({ kind, seqs, at }) =>
      kind !== 'correction' &&
      seqs.some((seq) => isSince({ seq, place: { time: at, rank: 0, thread: '', position: 0 } })),
  );
  if (all.length === 0) return [];
  const text = all.map(({ text: rule }) => `- ${oneLine(rule)}\n`).join('');
  const events = all.flatMap(({ seqs }) => seqs.slice(-1));
  return [{ label: 'rules', attributes: { journal: 'rules' }, text, events }];
}

import { textOf } from '../handoff/of-project.ts';
import type { Tree } from '../handoff/tree.ts';
import type { PlanStatus } from '../monitor/plans.ts';
import type { TrackerSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { deliveries, shardIssues } from '../projections/folds/deliveries.ts';
import type { Handoff, HandoffRecord } from '../projections/folds/handoffs.ts';
import { loops, loopsOf } from '../projections/folds/loops.ts';
import { contained, oneLine } from '../projections/safe-text.ts';

// All that leaves the machine is redacted here, once more: rules may be newer than what is stored.

const HANDOFFS_MAX = 20;

/** Quoted words: they become no link, picture or mention. */
const quoted = (text: string): string => `\`${oneLine(contained(text)).replaceAll('`', "'")}\``;

/** One session's comment, made anew each time. @param handed its handoffs with this issue, the newest first */
export function commentText(
  project: Project,
  { kind, send }: Pick<TrackerSettings, 'kind' | 'send'>,
  handed: readonly Handoff[],
): string {
  const [newest] = handed;
  const shown = handed.slice(0, HANDOFFS_MAX).reverse();
  const more = handed.length - shown.length;
  const document = send === 'document' && newest !== undefined ? textOf(project, newest) : '';
  const parts = [
    `**ben10**: handoffs of session ${quoted((newest?.session ?? 'unknown').slice(0, 8))}`,
    [
      ...(more > 0 ? [`- … and ${more} before`] : []),
      ...shown.flatMap((one) => linesOf(one, iterationIn(project, one))),
    ].join('\n'),
    ...(document === '' ? [] : [collapsed(kind, document)]),
  ];
  return project.redact(parts.join('\n\n'));
}

/** Of the loop that its session is an iteration of. */
function iterationIn({ states }: Project, { session }: Handoff): number | undefined {
  const all = loopsOf(states.at(loops, null).state).flatMap(({ iterations }) => iterations);
  return all.find((one) => one.session === session)?.n;
}

function linesOf({ checkpoint, level, percent, handoff }: Handoff, n?: number): string[] {
  const at = percent === undefined ? '' : ` at ${Math.round(percent)}%`;
  const which = level === 'C' ? 'compaction' : level;
  const when = new Date(handoff.at).toISOString().slice(0, 16).replace('T', ' ');
  const { file, sha256, nextSteps } = handoff;
  return [
    `- **${which}${at}${n === undefined ? '' : ` · iter ${n}`}**, ${when} UTC: ${quoted(file)}, id ${quoted(checkpoint)}, sha256 ${quoted(sha256)}`,
    ...nextSteps.map((step, index) => `  ${index + 1}. ${quoted(step)}`),
  ];
}

/** Folded away, and in a block of code that nothing in it can close. */
function collapsed(kind: TrackerSettings['kind'], document: string): string {
  // A line of a diff would end Linear's block.
  const text = contained(document)
    .trimEnd()
    .replace(/^\+\+\+/gm, ' +++');
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const [open, close] =
    kind === 'github'
      ? ['<details><summary>Handoff document</summary>', '</details>']
      : ['+++ Handoff document', '+++'];
  return [open, '', `${fence}markdown`, text, fence, '', close].join('\n');
}

/** A shard as the description of an issue. */
export function shardText(
  { redact }: Project,
  { source, shards }: PlanStatus,
  index: number,
): string {
  const items = shards[index]!.items.map((item) => `- [ ] ${quoted(item)}`);
  const heading = `Shard ${index + 1} of ${shards.length} of ${quoted(source)}`;
  return redact([heading, '', ...items].join('\n'));
}

export function checklistText(
  { redact, states }: Project,
  { plan, source, shards }: PlanStatus,
): string {
  const names = shardIssues(states.at(deliveries, null).state, plan, shards.length);
  const rows = shards.map(({ title, done, items }, index) =>
    [`- [${done === items.length ? 'x' : ' '}]`, names[index], quoted(title)]
      .filter(Boolean)
      .join(' '),
  );
  const count = rows.filter((row) => row.startsWith('- [x]')).length;
  const heading = `**ben10**: ${count} of ${shards.length} shards of ${quoted(source)}`;
  return redact([heading, '', ...rows].join('\n'));
}

const REMOTE =
  /^(?:(?:https?|ssh):\/\/(?:[^/@]*@)?|[^/@:]+@)([A-Za-z0-9.-]+)(?::\d+)?[:/]([\w.~/-]+?)(?:\.git)?\/?$/;

/** Where a web remote shows a committed document; empty if there is none. Whatever stands before the host stays here. */
export function webUrl(tree: Tree, { file, branch = '' }: HandoffRecord): string {
  const remote = tree.git('config', '--get', 'remote.origin.url')?.trim() ?? '';
  const [, host, name] = REMOTE.exec(remote) ?? [];
  if (host === undefined || branch === '' || /\s/.test(branch)) return '';
  return encodeURI(`https://${host}/${name}/blob/${branch}/${file}`).replace(
    /[?#]/g,
    encodeURIComponent,
  );
}

import type { NewEvent } from '../journal/append/inbox.ts';
import { readTail } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import type { HookMoment, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { choose } from './choose.ts';
import type { ChangedOnDisk, Item, Kind } from './item.ts';
import { bringsBack, momentOf } from './moment.ts';
import { countsOf } from './notice.ts';
import { RECALL_SOURCES, type RecallSource, recallText } from './recall.ts';

/** Finds known files that differ on disk, of the session alone or of others as well. */
type LookOnDisk = (
  project: Project,
  state: ContextState,
  session: string,
  isAlone: boolean,
) => ChangedOnDisk[];

/** Gives back earlier work. Takes the room that others leave. */
export const recallInjection = (lookOnDisk: LookOnDisk): Injection => ({
  on: ['SessionStart', 'UserPromptSubmit'],
  worth: 1,
  failed: 'nothing was given back from earlier sessions',
  render(project, moment, { used }) {
    const { session, transcript, config } = moment;
    const source = sourceOf(moment);
    if (source === undefined) return undefined;
    const isAlone = bringsBack(source);
    const recall = recallText(project, {
      source,
      session,
      didNotLand: () => didNotLand(transcript),
      wasShown: () => wasShown(transcript),
      maxChars: config.recall.maxChars,
      beside: used,
      // Without the whole transcript it is unknown which files differ.
      onDisk: (state) =>
        isAlone && !moment.read.isWhole ? [] : lookOnDisk(project, state, session, isAlone),
    });
    const { text, chars, items, owed } = recall;
    if (text === '' && !owed) return undefined;
    return { text, told: told(project, moment, source, chars, items), counts: countsOf(items) };
  },
});

/** Tells a compaction what to keep word for word. */
export const steering: Injection = {
  on: ['PreCompact'],
  worth: 1,
  failed: 'the compaction was not told what to keep',
  render(project, moment) {
    const { recall } = moment.config;
    if (!recall.steering) return undefined;
    const { text, items } = steeringText(project, moment.session);
    if (text === '') return undefined;
    // Redact again: rules may be newer than the records.
    return {
      text: project.redact(text),
      told: told(project, moment, 'steering', text.length, items),
    };
  },
};

function told(
  { recorder }: Project,
  { event, session }: HookMoment,
  source: RecallSource | 'steering',
  chars: number,
  given: readonly Item[],
): NewEvent {
  const items = given.map(({ kind, seq, key }) => ({ kind, seq, key }));
  return recorder.ownEvent('recall.injected', session, { event, source, chars, items }, 'hook');
}

function sourceOf({ event, source }: HookMoment): RecallSource | undefined {
  if (event === 'UserPromptSubmit') return 'prompt';
  return RECALL_SOURCES.find((one) => one === source && one !== 'prompt');
}

/** More than a client writes between a compaction and the next prompt. */
const TAIL_BYTES = 262_144;
const COMPACTED = /"subtype":"compact_boundary"|"isCompactSummary":true/;

/**
 * Whether the client ran the hook after a compaction without showing its output to the model, as some versions did
 * (anthropics/claude-code#15174). The transcript has a record of both; without either, nothing is given twice.
 */
export function didNotLand(transcript: string | undefined): boolean {
  const ours = oursSince(transcript);
  const has = (type: string) => ours.some((line) => line.includes(`"type":"${type}"`));
  return has('hook_success') && !has('hook_additional_context');
}

/** Whether the client showed the model what the hook printed before the compaction, as it does after `/compact`. */
export const wasShown = (transcript: string | undefined): boolean =>
  oursSince(transcript).some((line) => line.includes('<local-command-stdout>'));

/** Records since the newest compaction with our hooks' output. */
function oursSince(transcript: string | undefined): string[] {
  const lines =
    transcript === undefined ? [] : readTail(nodeFs, transcript, TAIL_BYTES).split('\n');
  const compacted = lines.findLastIndex((line) => COMPACTED.test(line));
  if (compacted === -1) return [];
  return lines.slice(compacted + 1).filter((line) => line.includes('ben10-recall-'));
}

/** Kinds to keep word for word; files and names come back anyway. */
const STEERED: ReadonlySet<Kind> = new Set([
  'rule',
  'correction',
  'task',
  'error',
  'decision',
  'prompt',
  'finding',
  'command',
]);

/** More would take room from the rest of the summary. */
export const STEERING_CHARS = 2000;

/** Some clients show this to the model afterwards. */
const ABOUT = 'Keep the following word for word in the summary, as far as it still applies.';

/** The most valuable items, without their names, for a compaction's instructions; may be empty. */
export function steeringText(project: Project, session: string): { text: string; items: Item[] } {
  const moment = momentOf(project, { source: 'compact', session });
  if (moment === undefined) return { text: '', items: [] };
  const items = moment.considered.flatMap(({ item }) => {
    const { extras: _, ...bare } = item;
    return STEERED.has(item.kind) ? [bare] : [];
  });
  return choose(items, STEERING_CHARS, { ...moment.heading, about: ABOUT });
}

import { isKnownType } from './catalogue.ts';
import type { EventType } from './types.ts';

/** What each event tells, for people; apart from the catalogue, which every hook loads. */
export const ABOUT: Record<EventType, string> = {
  'session.started': 'The client started, resumed, cleared, compacted or forked a session.',
  'session.ended': 'The client ended a session.',
  'prompt.submitted': 'The user said something.',
  'message.recorded': "A text or thought of the model's, or a local command of the user's.",
  'tool.called': 'The model called a tool.',
  'tool.succeeded': 'A tool call came back.',
  'tool.failed': 'A tool call failed, was denied or interrupted.',
  'subagent.started': 'A sub-agent was started.',
  'subagent.stopped': 'A sub-agent came to its end.',
  'compaction.started': 'The client is about to replace the conversation by a summary.',
  'compaction.finished': 'The client replaced the conversation by this summary.',
  'turn.ended': 'The model stopped and waits for the user.',
  'usage.sampled': 'Tokens of one API message.',
  'transcript.read': 'A transcript was read up to here; the cursor of reconciliation.',
  'fact.enriched': 'A second witness knows more about a recorded fact.',
  'recall.injected':
    'ben10 gave these items back to the model. By reference: it is no evidence of anything.',
  'context.saved': 'A state was saved under a name.',
  'context.restored': 'A state was rendered for the model or a person.',
  'context.cleared':
    'From here on the session’s context is empty; what was before stays in the journal.',
  'context.merged': 'What a state believes of files that were changed from outside.',
  'checkpoint.created': 'A checkpoint was asked for by hand.',
  'snapshot.created': 'The whole state was stored just before a compaction.',
  'snapshot.completed': 'The compaction that a snapshot was taken for is over.',
  'snapshot.annotated':
    'A snapshot was pinned, unpinned, tagged or noted, or its state was stored anew.',
  'snapshot.removed': 'A snapshot’s stored state was removed.',
  'preference.retracted': 'Something that was taken for a preference of the user’s is none.',
  'journal.based':
    'What was known of events that were dropped, for all that is folded from here on.',
  'work.saved': 'What somebody is at was saved: task, files, notes, todos.',
  'environment.observed':
    'What is around the project: branches, containers, devices, servers, versions of tools.',
  'environment.told': 'Changes around the project were mentioned to the model. By reference.',
  'hook.received': 'A hook that has no event of its own, kept whole.',
  'event.superseded':
    'What stands for an erased event from now on: the same without what had to go.',
  'erasure.requested': 'These events are to be erased: from here on whoever comes by finishes it.',
  'erasure.done': 'Nothing of the requested events is left that ben10 can reach.',
};

/** The same of what the journal writes about itself. */
const OF_JOURNAL: ReadonlyMap<string, string> = new Map([
  [
    'journal.repaired',
    'Something in the journal was damaged: what was done about it, and what is lost.',
  ],
  ['journal.copied', 'From here on this journal and the one that it was copied from are two.'],
  ['journal.based', 'What stands for the events before, which were dropped for their age.'],
  ['event.superseded', 'What stands in the place of an event that was erased.'],
  ['erasure.requested', 'Events were to be erased for good, or dropped for their age.'],
  ['erasure.done', 'An erasure was carried out.'],
]);

export const aboutType = (type: string): string =>
  isKnownType(type)
    ? ABOUT[type]
    : (OF_JOURNAL.get(type) ?? 'An event that this ben10 does not know.');

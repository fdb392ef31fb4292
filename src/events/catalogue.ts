import type { Durability } from '../journal/inbox.ts';
import type { EventType } from './types.ts';

export interface EventKind {
  /** Of the data, as it is written today. */
  version: number;
  /** What an acknowledgement of it promises; see `Durability`. */
  durability: Durability;
  about: string;
}

/** Every event that ben10 writes. A name is never reused for something else. */
export const CATALOGUE: Record<EventType, EventKind> = {
  'session.started': {
    version: 2,
    durability: 'interval',
    about: 'The client started, resumed, cleared, compacted or forked a session.',
  },
  'session.ended': { version: 1, durability: 'disk', about: 'The client ended a session.' },
  'prompt.submitted': { version: 1, durability: 'interval', about: 'The user said something.' },
  'message.recorded': {
    version: 1,
    durability: 'process',
    about: "A text or thought of the model's, or a local command of the user's.",
  },
  'tool.called': { version: 1, durability: 'process', about: 'The model called a tool.' },
  'tool.succeeded': { version: 1, durability: 'process', about: 'A tool call came back.' },
  'tool.failed': {
    version: 1,
    durability: 'process',
    about: 'A tool call failed, was denied or interrupted.',
  },
  'subagent.started': { version: 1, durability: 'process', about: 'A sub-agent was started.' },
  'subagent.stopped': { version: 1, durability: 'interval', about: 'A sub-agent came to its end.' },
  'compaction.started': {
    version: 1,
    durability: 'disk',
    about: 'The client is about to replace the conversation by a summary.',
  },
  'compaction.finished': {
    version: 1,
    durability: 'disk',
    about: 'The client replaced the conversation by this summary.',
  },
  'turn.ended': {
    version: 1,
    durability: 'disk',
    about: 'The model stopped and waits for the user.',
  },
  'usage.sampled': { version: 1, durability: 'process', about: 'Tokens of one API message.' },
  'transcript.read': {
    version: 1,
    durability: 'process',
    about: 'A transcript was read up to here; the cursor of reconciliation.',
  },
  'fact.enriched': {
    version: 1,
    durability: 'process',
    about: 'A second witness knows more about a recorded fact.',
  },
  'recall.injected': {
    version: 1,
    durability: 'interval',
    about: 'ben10 gave these items back to the model. By reference: it is no evidence of anything.',
  },
  'context.saved': { version: 1, durability: 'disk', about: 'A state was saved under a name.' },
  'context.restored': {
    version: 1,
    durability: 'interval',
    about: 'A state was rendered for the model or a person.',
  },
  'checkpoint.created': {
    version: 1,
    durability: 'disk',
    about: 'A checkpoint was asked for by hand.',
  },
  'hook.received': {
    version: 1,
    durability: 'process',
    about: 'A hook that has no event of its own, kept whole.',
  },
};

export const isKnownType = (type: string): type is EventType => Object.hasOwn(CATALOGUE, type);

import { CONVERSATION } from './families/conversation.ts';
import { ERASURE } from './families/erasure.ts';
import { HANDOFF } from './families/handoff.ts';
import { LOOP } from './families/loop.ts';
import { MONITOR } from './families/monitor.ts';
import { OWN } from './families/own.ts';
import { PACK } from './families/pack.ts';
import { SESSION } from './families/session.ts';
import { SNAPSHOT } from './families/snapshot.ts';
import { TOOL } from './families/tool.ts';
import { TRACKER } from './families/tracker.ts';
import { WITNESS } from './families/witness.ts';
import { WORKSPACE } from './families/workspace.ts';
import type { EventKind } from './fields.ts';

/** Every event that ben10 writes. A name is never reused for something else. */
export const CATALOGUE = {
  ...SESSION,
  ...CONVERSATION,
  ...TOOL,
  ...WITNESS,
  ...OWN,
  ...SNAPSHOT,
  ...WORKSPACE,
  ...ERASURE,
  ...PACK,
  ...MONITOR,
  ...HANDOFF,
  ...LOOP,
  ...TRACKER,
};

export type EventType = keyof typeof CATALOGUE;

export const isKnownType = (type: string): type is EventType => Object.hasOwn(CATALOGUE, type);

/** Whether a listing for people leaves it out, as its family says. */
export const isQuiet = (event: { type: string; data: unknown }): boolean =>
  isKnownType(event.type) &&
  (CATALOGUE[event.type] as EventKind).isQuiet?.(() => event.data) === true;

/** What the journal writes about itself. */
const OF_JOURNAL: ReadonlyMap<string, string> = new Map([
  ['journal.repaired', 'Damage in the journal was repaired: what was done, and what is lost.'],
  ['journal.copied', 'The journal was copied: from here on it and the original are separate.'],
]);

/** One line about an event type, for people. */
export const aboutType = (type: string): string =>
  isKnownType(type)
    ? CATALOGUE[type].about
    : (OF_JOURNAL.get(type) ?? 'An event that this ben10 does not know.');

export type * from './families/conversation.ts';
export type * from './families/erasure.ts';
export type * from './families/handoff.ts';
export type * from './families/loop.ts';
export type * from './families/monitor.ts';
export type * from './families/own.ts';
export type * from './families/pack.ts';
export type * from './families/session.ts';
export type * from './families/snapshot.ts';
export type * from './families/tool.ts';
export type * from './families/tracker.ts';
export type * from './families/witness.ts';
export type * from './families/workspace.ts';

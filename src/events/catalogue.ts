import { CONVERSATION } from './families/conversation.ts';
import { ERASURE } from './families/erasure.ts';
import { OWN } from './families/own.ts';
import { SESSION } from './families/session.ts';
import { SNAPSHOT } from './families/snapshot.ts';
import { TOOL } from './families/tool.ts';
import { WITNESS } from './families/witness.ts';
import { WORKSPACE } from './families/workspace.ts';

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
};

export type EventType = keyof typeof CATALOGUE;

export const isKnownType = (type: string): type is EventType => Object.hasOwn(CATALOGUE, type);

export type * from './families/conversation.ts';
export type * from './families/erasure.ts';
export type * from './families/own.ts';
export type * from './families/session.ts';
export type * from './families/snapshot.ts';
export type * from './families/tool.ts';
export type * from './families/witness.ts';
export type * from './families/workspace.ts';

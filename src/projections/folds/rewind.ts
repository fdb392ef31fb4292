import type { Fact } from '../contract.ts';

/** Facts that may go back to an earlier place and abandon a branch. */
export const REWINDING = ['prompt.submitted', 'message.recorded', 'compaction.finished'] as const;

/** Last byte offset of the main thread on the live branch; undefined without a rewind. */
export const rewoundTo = ({ agent, trace }: Fact): number | undefined =>
  agent === null ? trace?.rewoundTo : undefined;

/** Byte offset in the main thread's transcript, where known. */
export const mainPosition = ({ agent, trace }: Pick<Fact, 'agent' | 'trace'>): number | null =>
  agent === null ? (trace?.pos ?? null) : null;

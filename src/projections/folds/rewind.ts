import type { Fact } from '../contract.ts';

/** Facts that can go on from an earlier place, so that what stood behind it is an abandoned branch. */
export const REWINDING = ['prompt.submitted', 'message.recorded', 'compaction.finished'] as const;

/** The last byte offset of the main thread that is still on the live branch; undefined when nothing was rewound. */
export const rewoundTo = ({ agent, trace }: Fact): number | undefined =>
  agent === null ? trace?.rewoundTo : undefined;

/** Byte offset in the main thread's transcript, where known: sub-agents have transcripts of their own. */
export const mainPosition = ({ agent, trace }: Pick<Fact, 'agent' | 'trace'>): number | null =>
  agent === null ? (trace?.pos ?? null) : null;

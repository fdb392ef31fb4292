import { sha256Text } from '../platform/sha256.ts';

/**
 * A fact has one id, whoever reports it: 128 bits of a digest of the session and the client's name for it. Content
 * never enters an id: it outlives an erased body and must not help to guess it.
 */
export function factId(session: string, fact: string): Buffer {
  // The length separates sessions whose names contain a NUL.
  const named = `ben10/fact/1\0${session.length}\0${session}\0${fact}`;
  return sha256Text(named).subarray(0, 16);
}

/** For events without a name of their own: a UUIDv7 (time-ordered, 74 random bits). */
export function freshId(nowMs: number, random: (bytes: Uint8Array) => void): Buffer {
  const id = Buffer.alloc(16);
  random(id);
  id.writeUIntBE(nowMs, 0, 6);
  id[6] = (id[6]! & 0x0f) | 0x70;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return id;
}

/** The client's names for its facts, as they enter `factId`. */
export const fact = {
  /** @param n a queued prompt has the id of the one in work, and comes after it */
  prompt: (promptIdOrUuid: string, n: number) => `prompt:${promptIdOrUuid}:${n}`,
  message: (uuid: string, block: number) => `message:${uuid}:${block}`,
  toolCall: (toolUseId: string) => `tool-call:${toolUseId}`,
  /** One name for success and failure: a call has one outcome. */
  toolOutcome: (toolUseId: string) => `tool-outcome:${toolUseId}`,
  usage: (messageId: string, uuid: string) => `usage:${messageId}:${uuid}`,
  /** @param n how many compactions of the same prompt came before */
  compaction: (promptIdOrUuid: string, n: number) => `compaction:${promptIdOrUuid}:${n}`,
  subagentStart: (agentId: string) => `subagent-start:${agentId}`,
  enriched: (idHex: string) => `enriched:${idHex}`,
  /** @param idHex of the retraction in another session */
  retracted: (idHex: string) => `retracted:${idHex}`,
  /** @param what `alert`, `level`, `checkpoint`, `handoff`… of this epoch: whoever comes second appends nothing */
  monitor: (what: string, epoch: string, level: string) => `${what}:${epoch}:${level}`,
} as const;

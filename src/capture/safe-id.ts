import { type RedactionOptions, redactText } from './redaction/index.ts';

/** What clients call their sessions and agents: a UUID, or hex digits. */
const ORDINARY = /^[\da-f-]{1,36}$/;

/** Whether an id is none that anything would be found in; nothing is compiled for those. */
export const isOrdinaryId = (id: string): boolean => ORDINARY.test(id);

/**
 * An id of a session or an agent as it is kept: one that is a secret, or holds one, becomes what is left of it. That is the same each
 * time, so that what belongs together stays so, and no digest, which would prove a guess.
 */
export const safeId = (id: string, redaction: RedactionOptions): string =>
  isOrdinaryId(id) ? id : redactText(id, redaction).text;

import { type RedactionOptions, redactText } from './redaction/index.ts';

/** What clients call their sessions and agents: a UUID, or hex digits. */
const ORDINARY = /^[\da-f-]{1,36}$/;

/** Whether an id is certainly no secret; no rules are compiled for it. */
export const isOrdinaryId = (id: string): boolean => ORDINARY.test(id);

/**
 * An id as it is stored: redacted if it contains a secret. The result is always the same, so that a session stays
 * together, and no digest, which could confirm a guess.
 */
export const safeId = (id: string, redaction: RedactionOptions): string =>
  isOrdinaryId(id) ? id : redactText(id, redaction).text;

/**
 * Of one answer, in UTF-8. The client refuses more than 25,000 tokens, and no text has more tokens than bytes. A usual answer of
 * this size has about 7,700 tokens, below the client's warning.
 */
export const ANSWER_BYTES_MAX = 24_000;

/** Of the part of an answer that is paged; keys, the point and a cursor need some room, too. */
export const PAGE_BYTES = ANSWER_BYTES_MAX - 2_000;

/**
 * Of one message from the client, like the stdin of a command hook. A longer one is dropped and its size recorded; its tool call
 * is read from the transcript later.
 */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** How long a tool call waits for the journal's lock before its event goes to the inbox, milliseconds. */
export const LOCK_BUDGET_MS = 50;

/** Of a description or the server's instructions: the client cuts longer ones. */
export const DESCRIPTION_BYTES_MAX = 2_048;

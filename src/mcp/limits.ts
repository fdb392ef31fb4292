/**
 * Of one answer, in bytes of UTF-8. The client refuses more than 25,000 tokens; no tokenizer makes more tokens than
 * there are bytes, so this holds for every text there is. A usual one is about 7,700 tokens, below the client's warning.
 */
export const ANSWER_BYTES_MAX = 24_000;

/** What an answer needs around the part that is paged: keys, the point, a cursor. */
export const ENVELOPE_BYTES = 2_000;

/**
 * Of one message from the client, in bytes: the limit of a command hook's stdin. What is longer is dropped while it is
 * read, but for a note of its size; the tool call in it is taken from the transcript later.
 */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** What a tool call may wait for the journal's lock before its event is left in the inbox, milliseconds. */
export const LOCK_BUDGET_MS = 50;

/** Of a description or the server's instructions, in bytes: the client cuts what is longer. */
export const DESCRIPTION_BYTES_MAX = 2_048;

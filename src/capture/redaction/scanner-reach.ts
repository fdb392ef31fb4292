/** What must be seen before a place to judge it: the name that a label ends. `scanner.wat` divides it by 16. */
export const BEHIND_CHARS = 80;
/** And behind it: the longest word, and the host of a URL or as much of a token as tells it from a word. */
export const AHEAD_CHARS = 192;

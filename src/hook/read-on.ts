/** The argument of the process that reads the rest of a transcript; internal. */
export const READ_ON = 'read-on';

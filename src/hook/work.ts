/** The argument of the process that answers a server's questions; internal. */
export const WORK = 'answer-server';

/** The argument by which the program answers a server's questions. Nobody else starts it so. */
export const WORK = 'answer-server';

/** The argument by which the program reads a transcript's rest instead of being a hook. Nobody else starts it so. */
export const READ_ON = 'read-on';

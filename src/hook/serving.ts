/** The argument by which the program serves as the child of its supervisor (`mcp/supervisor.ts`). Nobody else starts it so. */
export const SUPERVISED = 'serve-supervised';

/**
 * Whether a server can put the next program in its own place: Node has `execve` from 22.15 and 23.11 on, and on Windows it is
 * there and refuses. A channel to a parent would be closed by it.
 */
export const canExecve = (): boolean =>
  'execve' in process && process.platform !== 'win32' && process.channel === undefined;

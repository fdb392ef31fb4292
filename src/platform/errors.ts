/** Stable codes: one is never reassigned, so that it can be searched for. */
export type ErrorCode =
  | 'FS_NOT_FOUND'
  | 'FS_PERMISSION_DENIED'
  | 'FS_WRITE_ERROR'
  | 'FS_READ_ERROR'
  | 'CONTEXT_NOT_FOUND'
  | 'CONTEXT_CORRUPTED'
  | 'CONTEXT_LOCKED'
  | 'SERIALIZE_FAILED'
  | 'DESERIALIZE_FAILED'
  | 'CHECKSUM_MISMATCH'
  | 'SNAPSHOT_NOT_FOUND'
  | 'SNAPSHOT_CORRUPTED'
  | 'MCP_TOOL_ERROR'
  | 'MCP_RESOURCE_ERROR'
  | 'HOOK_INVALID_INPUT'
  | 'HOOK_EXECUTION_FAILED'
  | 'JOURNAL_FOREIGN'
  | 'JOURNAL_UNSAFE'
  | 'JOURNAL_DAMAGED'
  | 'LIMIT_EXCEEDED'
  | 'STATES_BEHIND'
  | 'STATES_LOST'
  | 'POINT_NOT_FOUND'
  | 'POINT_INVALID'
  | 'CONFIG_INVALID'
  | 'SETTINGS_INVALID'
  | 'PACK_NOT_FOUND'
  | 'PACK_EXISTS'
  | 'PACK_DENIED'
  | 'PACK_CHANGED'
  | 'HANDOFF_NOT_FOUND'
  | 'NOTHING_TO_UNDO'
  | 'USAGE';

/** Line and column are 1-based. */
export interface ErrorPlace {
  file?: string;
  offset?: number;
  seq?: number;
  line?: number;
  column?: number;
}

export class Ben10Error extends Error {
  readonly code: ErrorCode;
  readonly place: ErrorPlace;
  /** What to do next, as one imperative sentence. */
  readonly next: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { place?: ErrorPlace; next?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Ben10Error';
    this.code = code;
    this.place = options.place ?? {};
    this.next = options.next;
  }
}

/** The code of a Node system error: `ENOENT`. */
export function errno(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** What `run` returns, or `otherwise` if the system refuses it. Other errors are thrown. */
export function unlessRefused<T, U>(run: () => T, otherwise: U): T | U {
  try {
    return run();
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return otherwise;
  }
}

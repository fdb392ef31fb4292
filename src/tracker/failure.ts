/** Why the tracker was not told. No words of the tracker's or of a library's, which may hold what must not be shown. */
export const WHY = {
  'no-key': 'there is no key in LINEAR_API_KEY',
  'no-gh': 'gh is not installed',
  'no-answer': 'gh failed',
  'refused-key': 'the key was refused',
  limited: 'it was asked too often',
  'server-error': 'it has a problem of its own',
  unreachable: 'it could not be reached',
  'no-issue': 'it has no such issue',
  'no-state': 'its team has no state of the name in tracker.linear.state',
  refused: 'it refused',
} as const;
export type FailureCode = keyof typeof WHY;

const OF_ALL: ReadonlySet<FailureCode> = new Set(['refused-key', 'limited', 'unreachable']);

export class TrackerError extends Error {
  readonly code: FailureCode;
  /** How long the tracker wants to be left alone, milliseconds. */
  readonly waitMs: number;

  constructor(code: FailureCode, waitMs = 0) {
    super(WHY[code]);
    this.code = code;
    this.waitMs = waitMs;
  }

  /** Other issues may still be told. */
  get isOfIssue(): boolean {
    return !OF_ALL.has(this.code);
  }
}

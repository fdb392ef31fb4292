import { createHmac, randomBytes } from 'node:crypto';
import { checksumOf } from '../capture/redaction/table/checksum-of.ts';

export interface Finding {
  /** The rule, as in `[REDACTED:<rule>]`. */
  rule: string;
  length: number;
  /** Equal for equal secrets within one run; cannot be used to guess the secret. */
  digest: string;
  /** Whether a token's checksum is right; null without one. */
  checksum: boolean | null;
}

export interface TextFinding extends Finding {
  /** From 1; columns in UTF-16 units, as in editors. */
  line: number;
  column: number;
}

export type Describe = (rule: string, secret: string) => Finding;

/** Enough for a few thousand secrets. */
const DIGEST_CHARS = 8;

/** Uses a secret salt. */
export function describer(): Describe {
  const salt = randomBytes(32);
  return (rule, secret) => ({
    rule,
    length: secret.length,
    digest: createHmac('sha256', salt).update(secret).digest('hex').slice(0, DIGEST_CHARS),
    checksum: checksumOf(rule, secret),
  });
}

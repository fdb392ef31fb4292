import { createHmac, randomBytes } from 'node:crypto';
import { checksumOf } from '../capture/redaction/table/checksum-of.ts';

/** What is said of a secret that was found. */
export interface Finding {
  /** The rule that names it, as in `[REDACTED:<rule>]`. */
  rule: string;
  /** Its length in characters. */
  length: number;
  /** The same for the same secret in one run, and of no use to guess it by afterwards. */
  digest: string;
  /** Of a token that holds one: whether it is right, so that it is no example. Null for others. */
  checksum: boolean | null;
}

export interface TextFinding extends Finding {
  /** From 1 on; columns in UTF-16 units, as editors count them. */
  line: number;
  column: number;
}

/** Says of a secret what may be said. */
export type Describe = (rule: string, secret: string) => Finding;

/** Hex digits of a digest: enough to tell a few thousand secrets apart. */
const DIGEST_CHARS = 8;

/** With a salt of its own, which nobody learns. */
export function describer(): Describe {
  const salt = randomBytes(32);
  return (rule, secret) => ({
    rule,
    length: secret.length,
    digest: createHmac('sha256', salt).update(secret).digest('hex').slice(0, DIGEST_CHARS),
    checksum: checksumOf(rule, secret),
  });
}

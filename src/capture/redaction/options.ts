/** A secret of a configuration's own. */
export interface OwnRule {
  readonly id: string;
  /** Global; vetted, and searched for in all of a text. */
  readonly pattern: RegExp;
}

/** What a redaction works with; made once, used for every text. */
export interface RedactionOptions {
  readonly own: readonly OwnRule[];
  /** False where only `<private>` passages and own patterns are secrets. */
  readonly builtin: boolean;
  /** Only what is named by this rule is found. */
  readonly only?: string;
  /** A secret that one of these matches as a whole is left alone. */
  readonly allow: readonly RegExp[];
  /** The same, to the letter. */
  readonly allowedTexts: ReadonlySet<string>;
}

export const DEFAULT_OPTIONS: RedactionOptions = {
  own: [],
  builtin: true,
  allow: [],
  allowedTexts: new Set(),
};

/** The longest secret that an allowing pattern is asked about: it may look at each character more than once. */
export const ALLOWED_CHARS_MAX = 1024;

export function isAllowed(
  secret: string,
  { allow, allowedTexts }: Pick<RedactionOptions, 'allow' | 'allowedTexts'>,
): boolean {
  if (secret.length > ALLOWED_CHARS_MAX) return false;
  return allowedTexts.has(secret) || allow.some((pattern) => pattern.test(secret));
}

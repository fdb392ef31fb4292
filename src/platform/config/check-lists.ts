import { GLOB_CHARS_MAX, GLOBS_MAX, isGlob } from '../exclude.ts';
import { describe, isRecord, kindOf, type TreeProblem } from './value.ts';

/** Every rule runs over every captured byte. */
export const PATTERNS_MAX = 100;
export const PATTERN_CHARS_MAX = 1_000;
export const ALLOWED_TEXTS_MAX = 1_000;
export const ALLOWED_CHARS_MAX = 1_000;

/** The journal has it as `[REDACTED:<id>]`: no closing bracket. */
const PATTERN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
const FIELDS = ['id', 'pattern', 'flags'];

/** Problems of the user's redaction rules. Messages quote no value: a pattern may be the secret itself. */
export function checkPatterns(name: string, value: unknown): TreeProblem[] {
  const wrong = checkLength(name, value, PATTERNS_MAX, 'rules');
  if (wrong !== undefined) return [wrong];
  const seen = new Set<unknown>();
  return (value as unknown[]).flatMap((item, index) => {
    const problems = checkPattern(`${name}[${index}]`, item);
    const id = isRecord(item) ? item.id : undefined;
    if (seen.has(id)) {
      problems.push({
        path: ['id'],
        message: `${name}[${index}].id: an earlier rule has the same id`,
      });
    }
    if (typeof id === 'string') seen.add(id);
    return problems.map((problem) => ({ ...problem, path: [index, ...problem.path] }));
  });
}

function checkPattern(name: string, item: unknown): TreeProblem[] {
  if (!isRecord(item)) {
    return [{ path: [], message: `${name}: expected id and pattern, found ${kindOf(item)}` }];
  }
  const problems: TreeProblem[] = Object.keys(item)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({
      path: [field],
      atKey: true,
      isSecret: true,
      message: `${name}: unknown field; a rule has ${FIELDS.join(', ')}`,
    }));
  const expect = (field: string, expected: string) =>
    problems.push({
      path: Object.hasOwn(item, field) ? [field] : [],
      message: `${name}.${field}: expected ${expected}, found ${kindOf(item[field])}`,
    });
  const { id, pattern, flags = '' } = item;
  if (typeof id !== 'string' || !PATTERN_ID.test(id)) {
    expect('id', '1 to 40 letters, digits, - or _');
  }
  if (typeof flags !== 'string' || !/^(?!.*(.).*\1)[imsu]*$/.test(flags)) {
    expect('flags', 'any of i, m, s, u, each once');
  } else if (typeof pattern !== 'string' || pattern.length > PATTERN_CHARS_MAX) {
    expect('pattern', `a regular expression of at most ${PATTERN_CHARS_MAX} characters`);
  } else {
    const fault = regexFault(pattern, flags);
    if (fault !== undefined)
      problems.push({ path: ['pattern'], message: `${name}.pattern: ${fault}` });
  }
  return problems;
}

function regexFault(pattern: string, flags: string): string | undefined {
  try {
    if (!new RegExp(pattern, flags).test('')) return undefined;
    return 'it matches the empty text, so it would redact everywhere';
  } catch (error) {
    // V8 quotes the whole pattern before the reason.
    return `not a regular expression: ${(error as Error).message.split(': ').at(-1)}`;
  }
}

export function checkTexts(name: string, value: unknown): TreeProblem[] {
  const wrong = checkLength(name, value, ALLOWED_TEXTS_MAX, 'texts');
  if (wrong !== undefined) return [wrong];
  return (value as unknown[]).flatMap((item, index) => {
    if (typeof item === 'string' && item !== '' && item.length <= ALLOWED_CHARS_MAX) return [];
    const expected = `a text of 1 to ${ALLOWED_CHARS_MAX} characters`;
    // Without the text, which may be the secret.
    const found = typeof item === 'string' ? `${item.length} characters` : kindOf(item);
    return [{ path: [index], message: `${name}[${index}]: expected ${expected}, found ${found}` }];
  });
}

export function checkGlobs(name: string, value: unknown): TreeProblem[] {
  const wrong = checkLength(name, value, GLOBS_MAX, 'patterns');
  if (wrong !== undefined) return [wrong];
  return (value as unknown[]).flatMap((item, index) => {
    const why = globFault(item);
    return why === undefined
      ? []
      : [{ path: [index], message: `${name}[${index}]: ${why}, found ${describe(item)}` }];
  });
}

function globFault(item: unknown): string | undefined {
  if (isGlob(item)) return undefined;
  if (typeof item !== 'string' || item === '' || item.length > GLOB_CHARS_MAX) {
    return `expected a pattern of 1 to ${GLOB_CHARS_MAX} characters`;
  }
  if (item.startsWith('!')) return 'a pattern cannot negate another (no "!")';
  if (/[[\]{}\\]/.test(item)) return 'a pattern has no wildcards but *, ** and ?';
  return 'a pattern is a path inside the project, with single slashes';
}

function checkLength(
  name: string,
  value: unknown,
  max: number,
  what: string,
): TreeProblem | undefined {
  if (!Array.isArray(value)) {
    return { path: [], message: `${name}: expected a list of ${what}, found ${kindOf(value)}` };
  }
  if (value.length <= max) return undefined;
  return { path: [], message: `${name}: expected at most ${max} ${what}, found ${value.length}` };
}

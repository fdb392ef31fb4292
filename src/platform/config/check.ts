import { isStorageLocation } from '../storage-location.ts';
import { checkGlobs, checkPatterns, checkTexts } from './check-lists.ts';
import { CONFIG_KEYS, type ConfigKey, type ConfigValues, configKey } from './keys.ts';
import { nearName } from './nearest.ts';
import { usablePart } from './salvage.ts';
import { describe, isRecord, kindOf, shown, type TreeProblem } from './value.ts';

interface Checked {
  values: ConfigValues;
  problems: TreeProblem[];
  /** The usable items of lists that have a problem. */
  partial: ConfigValues;
  /** Settings whose value has a problem. */
  doubtful: string[];
}

const SECTIONS = new Set(
  CONFIG_KEYS.flatMap(({ name }) => {
    const parts = name.split('.').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  }),
);
const NAMES = [...SECTIONS, ...CONFIG_KEYS.map((key) => key.name)];

/**
 * Sections and settings of earlier versions. They have no effect, and are not refused: `init` wrote them into files.
 * `recall.worth` weighed the kinds of items; the order of recall is now fixed.
 */
const REMOVED = new Set(['recall.worth']);

/** Checks the sections and settings of a parsed file. Never throws. */
export function checkTree(root: unknown): Checked {
  const checked: Checked = { values: new Map(), problems: [], partial: new Map(), doubtful: [] };
  if (root === null || root === undefined) return checked;
  if (!isRecord(root)) {
    const message = `expected sections with settings, found ${kindOf(root)}`;
    checked.problems.push({ path: [], message });
    return checked;
  }
  checkSettings([], root, checked);
  return checked;
}

function checkSettings(
  above: readonly string[],
  settings: Record<string, unknown>,
  checked: Checked,
): void {
  for (const [name, value] of Object.entries(settings)) {
    const path = [...above, name];
    const full = path.join('.');
    const key = configKey(full);
    if (REMOVED.has(full) && !name.includes('.')) continue;
    if (name.includes('.') || (key === undefined && !SECTIONS.has(full))) {
      checked.problems.push(unknown(path));
    } else if (key === undefined) {
      checkSection(path, value, checked);
    } else {
      const problems = checkValue(key, value);
      if (problems.length === 0) checked.values.set(key.name, value);
      else {
        checked.doubtful.push(key.name);
        const part = usablePart(key, value);
        if (part !== undefined) checked.partial.set(key.name, part);
      }
      for (const problem of problems) {
        checked.problems.push({ ...problem, path: [...path, ...problem.path] });
      }
    }
  }
}

function checkSection(path: readonly string[], settings: unknown, checked: Checked): void {
  // A section whose settings are all commented out is null.
  if (settings === null) return;
  if (isRecord(settings)) {
    checkSettings(path, settings, checked);
    return;
  }
  const message = `${path.join('.')}: expected settings, found ${kindOf(settings)}`;
  checked.problems.push({ path, message });
}

/** Problems of one setting's value; their paths start at the setting. */
export function checkValue(key: ConfigKey, value: unknown): TreeProblem[] {
  if (key.kind === 'patterns') return checkPatterns(key.name, value);
  if (key.kind === 'texts') return checkTexts(key.name, value);
  if (key.kind === 'globs') return checkGlobs(key.name, value);
  if (key.kind === 'choices') return checkChoices(key, value);
  if (isValid(key, value)) return [];
  return [
    { path: [], message: `${key.name}: expected ${expectation(key)}, found ${describe(value)}` },
  ];
}

function checkChoices(key: ConfigKey, value: unknown): TreeProblem[] {
  const items: unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
  const index = items.findIndex((item) => !key.values?.includes(item as string));
  if (index === -1) return [];
  const path = items === value ? [index] : [];
  const message = `${key.name}: expected ${expectation(key)}, found ${describe(items[index])}`;
  return [{ path, message }];
}

function isValid(key: ConfigKey, value: unknown): boolean {
  const inRange = (n: number) => n >= (key.min ?? n) && n <= (key.max ?? n);
  switch (key.kind) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value) && inRange(value as number);
    case 'choice':
      return typeof value === 'string' && key.values?.includes(value) === true;
    case 'age':
      if (value === 'never') return true;
      return (
        typeof value === 'string' && /^[1-9]\d{0,6}d$/.test(value) && inRange(parseInt(value, 10))
      );
    case 'folder':
      return isStorageLocation(value);
    case 'text':
      return (
        typeof value === 'string' &&
        value.length <= key.max! &&
        !/[\x00-\x08\x0a-\x1f\x7f]/.test(value)
      );
    default:
      return false;
  }
}

/** `a whole number of messages from 1 to 10000`. */
export function expectation(key: ConfigKey): string {
  switch (key.kind) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number of ${key.unit} from ${key.min} to ${key.max}`;
    case 'choice':
      return `one of ${key.values?.join(', ')}`;
    case 'choices':
      return `one of ${key.values?.join(', ')}, or a list of them`;
    case 'age':
      return `never, or days from ${key.min}d to ${key.max}d`;
    case 'folder':
      return 'a folder inside the project, such as .ben10 or .cache/ben10';
    case 'text':
      return `a text of one line, at most ${key.max} characters`;
    case 'globs':
      return 'a list of patterns such as *.log or node_modules/**';
    case 'patterns':
      return 'a list of rules with id, pattern and flags';
    case 'texts':
      return 'a list of texts';
  }
}

function unknown(path: readonly string[]): TreeProblem {
  const name = path.join('.');
  // It may be a secret that was meant for a list in this section.
  if (path.length > 1 && path[0] === 'redaction' && nearName(name, NAMES) === undefined) {
    const message = `redaction: unknown setting; ${nearest(path, name)}`;
    return { path, atKey: true, isSecret: true, message };
  }
  const what = path.length === 1 ? 'section' : 'setting';
  const known = path.length === 1 ? configKey(name)?.name.split('.') : undefined;
  const setting = known?.pop();
  const hint =
    setting === undefined ? nearest(path, name) : `write '${setting}' under '${known?.join('.')}'`;
  return { path, atKey: true, message: `unknown ${what} '${shown(name)}'; ${hint}` };
}

function nearest([section = '']: readonly string[], name: string): string {
  const near = nearName(name, NAMES);
  if (near !== undefined) return `the nearest known name is '${near}'`;
  const beside = NAMES.filter((known) => known.startsWith(`${section}.`));
  const sections = [...SECTIONS].filter((known) => !known.includes('.'));
  return `known are: ${(beside.length > 0 ? beside : sections).join(', ')}`;
}

export function unknownSetting(name: string): string {
  const near = nearName(name, NAMES);
  const hint = near === undefined ? '' : `; the nearest is ${near}`;
  return `there is no setting ${shown(name)}${hint}`;
}

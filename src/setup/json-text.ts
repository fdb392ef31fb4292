import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { Ben10Error } from '../platform/errors.ts';

/** A JSON file, possibly with comments. */
export interface JsonText {
  file: string;
  text: string;
  root: Node;
}

export type JsonPath = readonly (string | number)[];

const MEND = 'Nothing was changed. Fix it, then run the command again.';

/** Messages for the parser's errors. */
const FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word that is not a JSON value',
  InvalidNumberFormat: 'an invalid number',
  PropertyNameExpected: 'a property name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'there is more after the end of the value',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed',
};

/** Parses JSON with comments and trailing commas, like the client. @throws Ben10Error SETTINGS_INVALID */
export function parseJsonText(file: string, text: string): JsonText {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    const json = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
    root = parseTree(json, errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw settingsError(file, 'it is nested too deeply', { line: 1, column: 1 }, error);
  }
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const name = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error);
    const fault = FAULTS[name] ?? 'a character that JSON does not allow';
    throw settingsError(file, fault, placeAt(text, first?.offset ?? text.length));
  }
  return { file, text, root };
}

function settingsError(file: string, fault: string, place: LinePlace, cause?: unknown): Ben10Error {
  return new Ben10Error('SETTINGS_INVALID', `${file} is not valid JSON: ${fault}`, {
    place: { file, ...place },
    next: MEND,
    cause,
  });
}

interface LinePlace {
  line: number;
  column: number;
}

/** 1-based line and column (in UTF-16 units) of an offset. */
export function placeAt(text: string, offset: number): LinePlace {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

/** An error for a value that the client's settings do not allow. */
export function shapeError(
  doc: JsonText,
  at: { node: Node; path: JsonPath },
  expected: string,
): Ben10Error {
  const name = jsonPathName(at.path);
  const found = at.node.type === 'null' ? 'null' : `${article(at.node.type)} ${at.node.type}`;
  return new Ben10Error(
    'SETTINGS_INVALID',
    `${doc.file}: ${name} must be ${expected}, but is ${found}`,
    { place: { file: doc.file, ...placeAt(doc.text, at.node.offset) }, next: MEND },
  );
}

const article = (word: string) => (/^[aeiou]/.test(word) ? 'an' : 'a');

/** `hooks.PreToolUse[0].hooks`. */
export function jsonPathName(path: JsonPath): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('')
    .replace(/^\./, '');
}

/** A member of an object. @throws Ben10Error SETTINGS_INVALID for duplicates, of which readers use different ones */
export function memberOf(
  doc: JsonText,
  object: Node,
  path: JsonPath,
): { node: Node; property: Node } | undefined {
  const key = path.at(-1);
  const [property, second] = (object.children ?? []).filter(
    ({ children }) => children?.[0]?.value === key,
  );
  if (second !== undefined) {
    throw new Ben10Error('SETTINGS_INVALID', `${doc.file}: ${jsonPathName(path)} is there twice`, {
      place: { file: doc.file, ...placeAt(doc.text, second.offset) },
      next: MEND,
    });
  }
  const node = property?.children?.[1];
  return property === undefined || node === undefined ? undefined : { node, property };
}

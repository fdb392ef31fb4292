import { describe, expect, it } from 'vitest';
import {
  jsonPathName,
  memberOf,
  parseJsonText,
  placeAt,
  shapeError,
} from '../../src/setup/json-text.ts';
import { errorOf } from '../support.ts';

describe('parsing a settings file', () => {
  it('takes comments, trailing commas, CRLF and a byte order mark', () => {
    const text = '\ufeff// head\r\n{"a": [1, 2,], /* b */ "b": {},}\r\n';
    expect(parseJsonText('f', text).root.type).toBe('object');
    expect(parseJsonText('f', text).text).toBe(text);
  });

  it.each([
    ['{"a": 1 "b": 2}', 'a comma is missing', 1, 9],
    ['{\n  "a": \n}', 'a value is missing', 3, 1],
    ['{\n  a: 1\n}', 'a word that is not a JSON value', 2, 3],
    ["{'a': 1}", 'a word that is not a JSON value', 1, 2],
    ['{"a": 1', 'a closing } is missing', 1, 8],
    ['[1, 2', 'a closing ] is missing', 1, 6],
    ['{} {}', 'there is more after the end of the value', 1, 4],
    ['{"a": "b\n"}', 'a text is not closed', 1, 7],
    ['{"a": 1 /* }', 'a comment is not closed', 1, 9],
    ['{"a": "\u0001"}', 'a character that JSON does not allow', 1, 7],
    ['', 'a value is missing', 1, 1],
    ['// only a comment', 'a value is missing', 1, 18],
  ])('says of %j: %s', (text, fault, line, column) => {
    const error = errorOf(() => parseJsonText('f.json', text));
    expect(error.code).toBe('SETTINGS_INVALID');
    expect(error.message).toBe(`f.json is not valid JSON: ${fault}`);
    expect(error.place).toEqual({ file: 'f.json', line, column });
    expect(error.next).toContain('Nothing was changed');
  });

  it('refuses nesting beyond the stack', () => {
    const error = errorOf(() => parseJsonText('f.json', '['.repeat(500_000)));
    expect(error.message).toContain('nested too deeply');
  });
});

describe('places and names', () => {
  it('count lines and columns from one', () => {
    expect(placeAt('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
    expect(placeAt('ab\r\ncd', 5)).toEqual({ line: 2, column: 2 });
  });

  it('name a path as one would write it', () => {
    expect(jsonPathName([])).toBe('the file');
    expect(jsonPathName(['hooks', 'PreToolUse', 0, 'hooks'])).toBe('hooks.PreToolUse[0].hooks');
    expect(jsonPathName(['a b'])).toBe('["a b"]');
  });

  it('name a wrong shape with its place', () => {
    const doc = parseJsonText('f.json', '{\n  "hooks": []\n}');
    const { node } = memberOf(doc, doc.root, ['hooks'])!;
    const error = shapeError(doc, { node, path: ['hooks'] }, 'an object');
    expect(error.message).toBe('f.json: hooks must be an object, but is an array');
    expect(error.place).toEqual({ file: 'f.json', line: 2, column: 12 });
    expect(shapeError(doc, { node: { ...node, type: 'null' }, path: [] }, 'x').message).toContain(
      'but is null',
    );
  });
});

describe('a member', () => {
  it('is found by its name, and __proto__ is a name like others', () => {
    const doc = parseJsonText('f', '{"__proto__": 1, "a": 2}');
    expect(memberOf(doc, doc.root, ['a'])?.node.value).toBe(2);
    expect(memberOf(doc, doc.root, ['__proto__'])?.node.value).toBe(1);
    expect(memberOf(doc, doc.root, ['constructor'])).toBeUndefined();
  });

  it('that stands twice is refused', () => {
    const doc = parseJsonText('f.json', '{"a": 1,\n "a": 2}');
    const error = errorOf(() => memberOf(doc, doc.root, ['a']));
    expect(error.message).toBe('f.json: a is there twice');
    expect(error.place.line).toBe(2);
  });
});

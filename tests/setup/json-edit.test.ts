import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { addItem, addMember, removeChild, setValue } from '../../src/setup/json-edit.ts';
import { type JsonText, memberOf, parseJsonText } from '../../src/setup/json-text.ts';
import { groups, layOut, layouts, names, values } from './json-samples.ts';

const doc = (text: string) => parseJsonText('f.json', text);
const value = (json: JsonText): unknown => parse(json.text.replace(/^\ufeff/, ''));
const member = (json: JsonText, key: string) => memberOf(json, json.root, [key])!;
const comments = ({ text }: JsonText) => text.match(/\/\/ (?:head|note) [^\r\n]*/g) ?? [];

describe('an edit of JSON', () => {
  it('is indented as the file is', () => {
    const spaces = doc('{\n    "a": 1\n}\n');
    expect(addMember(spaces, spaces.root, 'b', { c: [1] }).text).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n',
    );
    const tabs = doc('{\r\n\t"a": {\r\n\t\t"x": 1\r\n\t}\r\n}');
    expect(addMember(tabs, member(tabs, 'a').node, 'y', 2).text).toBe(
      '{\r\n\t"a": {\r\n\t\t"x": 1,\r\n\t\t"y": 2\r\n\t}\r\n}',
    );
  });

  it('keeps one-line JSON on its line, and opens an empty object', () => {
    const line = doc('{"a":1}');
    expect(addMember(line, line.root, 'b', 2).text).toBe('{"a":1,"b":2}');
    const empty = doc('{}');
    expect(addMember(empty, empty.root, 'a', 1).text).toBe('{\n  "a": 1\n}');
  });

  it.each([
    ['{\n  "a": 1,\n  "b": 2\n}', 'b', '{\n  "a": 1\n}'],
    ['{\r\n  "a": 1,\r\n  "b": 2\r\n}', 'a', '{\r\n  "b": 2\r\n}'],
    ['{"a":["x","y"],"b":2}', 'b', '{"a":["x","y"]}'],
    ['{ "a": 1 }', 'a', '{}'],
    ['{\n  "a": 1,\n}', 'a', '{}'],
    ['{\n  // alone\n  "a": 1\n}', 'a', '{\n  // alone\n}'],
  ])('takes from %j the member %s', (before, key, after) => {
    const json = doc(before);
    expect(removeChild(json, json.root, member(json, key).property).text).toBe(after);
  });

  it('takes the last item from a list on one line', () => {
    const list = doc('["a","b"]');
    expect(removeChild(list, list.root, list.root.children![1]!).text).toBe('["a"]');
  });
});

describe('any JSON in any layout', () => {
  it('gains the member that is added, loses no comment, and has its old bytes again without it', () => {
    fc.assert(
      fc.property(groups, values, layouts, (before, added, layout) => {
        const json = doc(layOut(before, layout));
        const more = addMember(json, json.root, 'new', added);
        expect(value(more)).toEqual({ ...before, new: added });
        expect(comments(more)).toEqual(comments(json));
        const less = removeChild(more, more.root, member(more, 'new').property);
        expect(less.text).toBe(json.text);
      }),
    );
  });

  it('holds for lists too', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 4 }), values, layouts, (before, added, layout) => {
        const json = doc(layOut({ list: before }, layout));
        const more = addItem(json, member(json, 'list').node, added);
        expect(value(more)).toEqual({ list: [...before, added] });
        const list = member(more, 'list').node;
        expect(removeChild(more, list, list.children!.at(-1)!).text).toBe(json.text);
      }),
    );
  });

  it('loses exactly the member that is removed', () => {
    fc.assert(
      fc.property(groups, fc.nat(), names, layouts, (rest, at, name, layout) => {
        const whole: Record<string, unknown> = { ...rest, [name]: 1 };
        const key = Object.keys(whole)[at % Object.keys(whole).length]!;
        const json = doc(layOut(whole, layout));
        const less = removeChild(json, json.root, member(json, key).property);
        const { [key]: _gone, ...left } = whole;
        expect(value(less)).toEqual(left);
      }),
    );
  });

  it('has exactly one value replaced', () => {
    fc.assert(
      fc.property(groups, names, values, layouts, (rest, key, next, layout) => {
        const whole = { ...rest, [key]: { old: true } };
        const json = doc(layOut(whole, layout));
        const after = setValue(json, member(json, key).node, next);
        expect(value(after)).toEqual({ ...whole, [key]: next });
      }),
    );
  });
});

import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { addItem, addMember, removeChild, setValue } from '../../src/setup/json-edit.ts';
import { type JsonText, memberOf, parseJsonText } from '../../src/setup/json-text.ts';
import { groups, layOut, layouts, names, values } from './json-samples.ts';

const doc = (text: string) => parseJsonText('f.json', text);
const value = (json: JsonText): unknown => parse(json.text.replace(/^\ufeff/, ''));
const member = (json: JsonText, key: string) => memberOf(json, json.root, [key])!;

/** True when every character of `part` stands in `whole`, in order: nothing was lost. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (at < part.length && character === part[at]) at++;
  return at === part.length;
}

describe('adding to JSON', () => {
  it('follows the indentation that is there', () => {
    expect(
      addMember(doc('{\n    "a": 1\n}\n'), doc('{\n    "a": 1\n}\n').root, 'b', { c: [1] }).text,
    ).toBe('{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ]\n    }\n}\n');
    const tabs = doc('{\r\n\t"a": {\r\n\t\t"x": 1\r\n\t}\r\n}');
    expect(addMember(tabs, member(tabs, 'a').node, 'y', 2).text).toBe(
      '{\r\n\t"a": {\r\n\t\t"x": 1,\r\n\t\t"y": 2\r\n\t}\r\n}',
    );
  });

  it('keeps one-line JSON on its line', () => {
    for (const [before, after] of [
      ['{"a":1}', '{"a":1,"b":{"c":[1,2]}}'],
      ['{"a": 1}', '{"a": 1, "b": { "c": [ 1, 2 ] }}'],
      ['{ "a": {} }', '{ "a": {}, "b": { "c": [ 1, 2 ] } }'],
      ['{"a": 1,}', '{"a": 1, "b": { "c": [ 1, 2 ] },}'],
    ] as const) {
      expect(addMember(doc(before), doc(before).root, 'b', { c: [1, 2] }).text).toBe(after);
    }
    const inner = doc('{\n  "a": [1, 2]\n}');
    expect(addItem(inner, member(inner, 'a').node, 3).text).toBe('{\n  "a": [1, 2, 3]\n}');
  });

  it('opens an empty object or list, with what comments are in it', () => {
    expect(addMember(doc('{}'), doc('{}').root, 'a', 1).text).toBe('{\n  "a": 1\n}');
    const text = '{\n  "a": [\n    // nothing yet\n  ]\n}';
    expect(addItem(doc(text), member(doc(text), 'a').node, 1).text).toBe(
      '{\n  "a": [\n    // nothing yet\n    1\n  ]\n}',
    );
  });

  it('leaves a comment with the line that it belongs to', () => {
    const text = '{\n  "a": 1 // one\n  // end\n}';
    expect(addMember(doc(text), doc(text).root, 'b', 2).text).toBe(
      '{\n  "a": 1, // one\n  // end\n  "b": 2\n}',
    );
    const comma = '[\n  1, // one\n]';
    expect(addItem(doc(comma), doc(comma).root, 2).text).toBe('[\n  1, // one\n  2,\n]');
    const inline = '[1 // one\n]';
    expect(addItem(doc(inline), doc(inline).root, 2).text).toBe('[1,2 // one\n]');
  });
});

describe('removing from JSON', () => {
  it.each([
    ['{\n  "a": 1,\n  "b": 2\n}', 'b', '{\n  "a": 1\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', 'a', '{\n  "b": 2\n}'],
    ['{\r\n  "a": 1,\r\n  "b": 2\r\n}', 'a', '{\r\n  "b": 2\r\n}'],
    ['{"a":1,"b":2}', 'a', '{"b":2}'],
    ['{"a": 1, "b": 2}', 'a', '{"b": 2}'],
    ['{"a": 1, "b": 2}', 'b', '{"a": 1}'],
    ['{ "a": 1 }', 'a', '{}'],
    ['{\n  "a": 1,\n}', 'a', '{}'],
    ['{\n  "a": 1, // keep\n  "b": 2\n}', 'a', '{\n  // keep\n  "b": 2\n}'],
    ['{\n  "a": 1, // keep\n  "b": 2 // too\n}', 'b', '{\n  "a": 1 // keep\n  // too\n}'],
    ['{\n  // alone\n  "a": 1\n}', 'a', '{\n  // alone\n}'],
    ['{ "a": 1\n, "b": 2 }', 'b', '{ "a": 1\n }'],
  ])('takes from %j the member %s', (before, key, after) => {
    const json = doc(before);
    expect(removeChild(json, json.root, member(json, key).property).text).toBe(after);
  });
});

describe('replacing in JSON', () => {
  it('keeps one-line groups on their line, and indents others', () => {
    const line = doc('{\n  "a": { "b": 1 }\n}');
    const b = memberOf(line, member(line, 'a').node, ['a', 'b'])!;
    expect(setValue(line, b.node, [1]).text).toBe('{\n  "a": { "b": [ 1 ] }\n}');
    expect(setValue(line, member(line, 'a').node, { c: 2 }).text).toBe(
      '{\n  "a": {\n    "c": 2\n  }\n}',
    );
  });
});

describe('any JSON in any layout', () => {
  it('gains what is added, loses nothing, and is the same bytes again once it is removed', () => {
    fc.assert(
      fc.property(groups, values, layouts, (before, added, layout) => {
        const json = doc(layOut(before, layout));
        const more = addMember(json, json.root, 'new', added);
        expect(value(more)).toEqual({ ...before, new: added });
        expect(isWithin(json.text, more.text)).toBe(true);
        expect(removeChild(more, more.root, member(more, 'new').property).text).toBe(json.text);
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

  it('loses exactly the member that is removed, and keeps every comment', () => {
    fc.assert(
      fc.property(groups, fc.nat(), names, layouts, (rest, at, name, layout) => {
        const entries = Object.entries({ ...rest, [name]: 1 });
        const [key] = entries[at % entries.length]!;
        const whole = Object.fromEntries(entries);
        const json = doc(layOut(whole, layout));
        const less = removeChild(json, json.root, member(json, key).property);
        const { [key]: _gone, ...left } = whole;
        expect(value(less)).toEqual(left);
        const notes = (text: string) => text.match(/^\s*"x.*\/\/ note|\/\/ note/gm)?.length ?? 0;
        if (typeof whole[key] !== 'object' && layout.comments) {
          expect(notes(less.text)).toBe(notes(json.text));
        }
      }),
    );
  });

  it('has exactly one value replaced', () => {
    fc.assert(
      fc.property(groups, names, values, layouts, (rest, key, next, layout) => {
        const whole = { ...rest, [key]: { old: true } };
        const json = doc(layOut(whole, layout));
        expect(value(setValue(json, member(json, key).node, next))).toEqual({
          ...whole,
          [key]: next,
        });
      }),
    );
  });
});

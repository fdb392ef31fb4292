import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';
import {
  type Document,
  isMap,
  isNode,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  YAMLMap,
} from 'yaml';
import { Ben10Error } from '../errors.ts';
import { checkValue } from './check.ts';
import type { Layer } from './environment.ts';
import type { ConfigKey } from './keys.ts';
import { ConfigError } from './problem.ts';
import { parseConfigFile } from './yaml.ts';

/**
 * Changes or adds one setting in a configuration's text. Comments and other settings stay; white space and quotes may
 * change.
 * @throws ConfigError for an invalid value, or a file that has mistakes already
 */
export function withSetting(file: string, text: string, key: ConfigKey, value: unknown): string {
  const [first, ...others] = checkValue(key, value).map(({ message }) => ({
    path: key.name,
    message,
  }));
  if (first !== undefined) throw new ConfigError([first, ...others]);
  const before = sound(file, text).values;
  if (isDeepStrictEqual(before.get(key.name), value)) return text;
  return changed(file, text, key, value, new Map(before).set(key.name, value));
}

/** Removes one setting. @throws ConfigError for a file that has mistakes already */
export function withoutSetting(file: string, text: string, key: ConfigKey): string {
  const wanted = new Map(sound(file, text).values);
  return wanted.delete(key.name) ? changed(file, text, key, undefined, wanted) : text;
}

function sound(file: string, text: string): Layer {
  const layer = parseConfigFile(file, Buffer.from(text));
  const [first, ...others] = layer.problems;
  if (first !== undefined) throw new ConfigError([first, ...others]);
  return layer;
}

/**
 * @param value undefined to remove the setting
 * @param wanted the settings that the new text must have: an edit through an anchor could change others
 */
function changed(
  file: string,
  text: string,
  key: ConfigKey,
  value: unknown,
  wanted: ReadonlyMap<string, unknown>,
): string {
  const path = key.name.split('.');
  const after = file.endsWith('.json') ? inJson(text, path, value) : inYaml(text, path, value);
  const { values, problems } = parseConfigFile(file, Buffer.from(after));
  const says = new Map([...values].sort());
  if (problems.length === 0 && isDeepStrictEqual(says, new Map([...wanted].sort()))) return after;
  throw new Ben10Error('CONFIG_INVALID', `${file} cannot be edited automatically`, {
    place: { file },
    next: 'Change the setting in an editor.',
  });
}

const FORMAT = { insertSpaces: true, tabSize: 2, eol: '\n' };

function inJson(text: string, path: string[], value: unknown): string {
  const whole = text.trim() === '' ? '{}\n' : text;
  return applyEdits(whole, modify(whole, path, value, { formattingOptions: FORMAT }));
}

function inYaml(text: string, path: readonly string[], value: unknown): string {
  const document = parseDocument(text);
  const section = path.slice(0, -1);
  if (value === undefined) {
    document.deleteIn(path);
    const left = document.getIn(section);
    if (isMap(left) && left.items.length === 0) replace(document, section, new Scalar(null));
  } else {
    for (let depth = 1; depth < path.length; depth += 1) {
      const above = path.slice(0, depth);
      if (!isMap(document.getIn(above))) replace(document, above, new YAMLMap());
    }
    replace(document, path, nodeOf(document, value, document.getIn(path, true)));
  }
  return document.toString({ lineWidth: 0, nullStr: '' });
}

function replace(document: Document, path: readonly string[], by: Node): void {
  withComments(by, document.getIn(path, true));
  document.setIn(path, by);
}

function withComments(node: Node, before: unknown): Node {
  if (isNode(before)) {
    node.comment = before.comment ?? null;
    node.commentBefore = before.commentBefore ?? null;
  }
  return node;
}

/** Unchanged list items keep their comments. */
function nodeOf(document: Document, value: unknown, before: unknown): Node {
  const node = document.createNode(value);
  if (isSeq(node) && isSeq(before)) {
    const kept = before.items.filter(isNode);
    node.items = node.items.map(
      (item) =>
        kept.find((one) => isNode(item) && isDeepStrictEqual(one.toJSON(), item.toJSON())) ?? item,
    );
  }
  return node;
}

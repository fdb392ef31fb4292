import { expression } from '../expression.ts';
import * as KIND from '../kinds.ts';
import type { RedactionRule, Span } from '../rule.ts';
import { isSign } from '../signs.ts';
import { isPlaceholder } from '../values.ts';

/** A block of values in YAML: its line, and how far it is indented, a diff's sign included. */
const YAML_BLOCK = expression(
  '(?:^|\\n|\\\\n)([+ -]?)([ \\t]{0,40})(?:data|stringData):[ \\t]{0,8}(?=\\r?\\n|\\\\n)',
  'g',
);
const LINE_END = '(?:\\r?\\n|\\\\n)';
/** What may be left of the line before, behind a value in marks, and lines with nothing but a remark. */
const YAML_REST = `(?:\\\\{0,3}["'])?[ \\t]{0,80}(?:#[^\\n\\\\]{0,400})?(?:${LINE_END}[+-]?[ \\t]{0,60}(?:#[^\\n\\\\]{0,400})?(?=${LINE_END})){0,20}`;
const YAML_VALUE = expression(
  `${YAML_REST}${LINE_END}[+ -]?([ \\t]{1,60})((?:\\\\{0,3}["'])?[\\w.-]{1,253}(?:\\\\{0,3}["'])?:[ \\t]{1,8}(?:\\\\{0,3}["'])?)([^\\s"'\\\\#|>{][^\\n"'\\\\]{0,65536})?`,
  'y',
);
/** `|`, `>-`, and the lines of a value behind it: indented more than the name. */
const SCALAR = expression('[ \\t]{0,8}[|>][+-]?\\d?[+-]?[ \\t]{0,8}(?=\\r?\\n)', 'y');
const SCALAR_LINE = expression(
  '\\r?\\n(?:[+ -]?([ \\t]{1,80})(?=\\S)([^\\n]{0,65536})|[+ -]?[ \\t]{0,80}(?=\\r?\\n))',
  'y',
);
const JSON_BLOCK = expression('(\\\\{0,7})"(?:data|stringData)\\1"\\s{0,8}:\\s{0,8}\\{', 'g');
const JSON_VALUE = expression(
  '(?:\\s|\\\\{1,7}[nrt]|,){0,200}(\\\\{0,7}")[\\w.-]{1,253}\\\\{0,7}"\\s{0,8}:\\s{0,8}\\\\{0,7}"([^"\\\\]{0,65536})\\\\{0,7}"',
  'y',
);

/** The values of `data` and `stringData` of Kubernetes secrets: base64 hides nothing. */
export const KUBERNETES_SECRET: RedactionRule = {
  id: 'KUBERNETES-SECRET',
  kind: KIND.kubernetes,
  find: (text, places) =>
    isSign(KIND.kubernetes, text, places) ? [...yamlValues(text), ...jsonValues(text)] : [],
};

function* yamlValues(text: string): Generator<Span> {
  const block = YAML_BLOCK;
  const value = YAML_VALUE;
  block.lastIndex = 0;
  for (let found = block.exec(text); found !== null; found = block.exec(text)) {
    const indent = (found[2] ?? '').length;
    value.lastIndex = block.lastIndex;
    for (let line = value.exec(text); line !== null; line = value.exec(text)) {
      if ((line[1] ?? '').length <= indent) break;
      const end = line.index + line[0].length;
      const secret = (line[3] ?? '').trimEnd();
      const start = end - (line[3] ?? '').length;
      if (!isPlaceholder(secret)) yield { start, end: start + secret.length };
      const scalar = secret === '' ? scalarAt(text, end, (line[1] ?? '').length) : undefined;
      if (scalar !== undefined) {
        yield scalar;
        value.lastIndex = scalar.end;
      }
      block.lastIndex = value.lastIndex;
    }
  }
}

/** The lines of the value that begins with `|` at `at`, below a name that is indented so far. */
function scalarAt(text: string, at: number, indent: number): Span | undefined {
  const head = SCALAR;
  head.lastIndex = at;
  if (!head.test(text)) return undefined;
  const next = SCALAR_LINE;
  let start: number | undefined;
  let end = head.lastIndex;
  next.lastIndex = end;
  for (let line = next.exec(text); line !== null; line = next.exec(text)) {
    if (line[1] === undefined) continue;
    if (line[1].length <= indent) break;
    end = line.index + line[0].length;
    start ??= end - (line[2] ?? '').length;
  }
  return start === undefined ? undefined : { start, end };
}

function* jsonValues(text: string): Generator<Span> {
  const block = JSON_BLOCK;
  const value = JSON_VALUE;
  block.lastIndex = 0;
  for (let found = block.exec(text); found !== null; found = block.exec(text)) {
    value.lastIndex = block.lastIndex;
    for (let pair = value.exec(text); pair !== null; pair = value.exec(text)) {
      const secret = pair[2] ?? '';
      const close = /\\{0,7}"$/.exec(pair[0])?.[0].length ?? 1;
      const end = pair.index + pair[0].length - close;
      if (!isPlaceholder(secret)) yield { start: end - secret.length, end };
      block.lastIndex = value.lastIndex;
    }
  }
}

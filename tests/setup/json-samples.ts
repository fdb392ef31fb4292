import fc from 'fast-check';

/** How a person, an editor or a program lays JSON out. */
export interface Layout {
  unit: string;
  eol: string;
  oneLine: boolean;
  spaced: boolean;
  comments: boolean;
  trailingComma: boolean;
  bom: boolean;
  lastLineBreak: boolean;
}

export const layouts: fc.Arbitrary<Layout> = fc
  .record({
    unit: fc.constantFrom('  ', '    ', '\t', ' '),
    eol: fc.constantFrom('\n', '\r\n'),
    oneLine: fc.boolean(),
    spaced: fc.boolean(),
    comments: fc.boolean(),
    trailingComma: fc.boolean(),
    bom: fc.boolean(),
    lastLineBreak: fc.boolean(),
  })
  // A line comment cannot stand inside a one-line value.
  .map((layout) => (layout.oneLine ? { ...layout, comments: false } : layout));

/** JSON text of a value in a layout; empty objects and arrays are `{}` and `[]`. */
export function layOut(value: unknown, layout: Layout): string {
  const body = print(value, layout, '');
  const head = layout.comments ? `// head ,}]"${layout.eol}` : '';
  return `${layout.bom ? '\ufeff' : ''}${head}${body}${layout.lastLineBreak ? layout.eol : ''}`;
}

function print(value: unknown, layout: Layout, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { unit, eol, oneLine, spaced, comments, trailingComma } = layout;
  const colon = spaced || !oneLine ? ': ' : ':';
  const inner = oneLine ? '' : indent + unit;
  const items = Array.isArray(value)
    ? value.map((item) => print(item, layout, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}${colon}${print(item, layout, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const lines = items.map((item, index) => {
    const comma = index < items.length - 1 || trailingComma ? ',' : '';
    return `${item}${comma}${comments ? ` // note ${index}, "x"` : ''}`;
  });
  if (oneLine) return `${open}${lines.join(spaced ? ' ' : '')}${close}`;
  return `${open}${eol}${lines.map((line) => inner + line).join(eol)}${eol}${indent}${close}`;
}

/** Short names that are none of the client's. */
export const names = fc.string({ minLength: 1, maxLength: 6 }).map((name) => `x${name}`);

export const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('group'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  group: fc.dictionary(names, tie('value'), { maxKeys: 3 }),
})).value;

export const groups = fc.dictionary(names, values, { maxKeys: 4 });

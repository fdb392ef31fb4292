import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.join(import.meta.dirname, '../src');

/** Each layer may import what stands behind it, never what stands before; see src/README.md. */
const LAYERS = [
  ['cli', 'mcp', 'hook', 'statusline', 'index.ts'],
  ['project'],
  // They look over the others, or through all that these keep, so they stand above them.
  ['doctor', 'erasure', 'handoff', 'loop', 'packs', 'scan', 'tracker'],
  ['capture', 'recall', 'timetravel', 'status', 'log', 'setup', 'workspace', 'usage', 'monitor'],
  ['search'],
  ['projections'],
  ['events'],
  ['journal'],
  ['platform'],
];
const rankOf = (room: string): number => LAYERS.findIndex((layer) => layer.includes(room));

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.join(dir, name));
}

const STATEMENT =
  /(?:^|\n)\s*(import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|(?<!typeof )import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(STATEMENT)].map(([, , type, from, dynamic, bare]) => {
    const to = from ?? dynamic ?? bare!;
    return {
      from: file,
      to: to.startsWith('.') ? path.resolve(path.dirname(file), to) : to,
      typeOnly: type !== undefined,
    };
  });
}

const roomOf = (file: string): string => path.relative(SRC, file).split(path.sep)[0]!;
const files = filesBelow(SRC);
const inside = files.flatMap(importsOf).filter(({ to }) => to.startsWith(SRC));
const show = ({ from, to }: Import): string =>
  `${path.relative(SRC, from)} -> ${path.relative(SRC, to)}`;

/** Files that import each other, directly or through others (Tarjan's strongly connected components). */
function circlesOf(imports: readonly Import[]): string[][] {
  const targets = new Map(files.map((file): [string, string[]] => [file, []]));
  for (const { from, to } of imports) targets.get(from)?.push(to);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const to of targets.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) === order.get(file)) circles.push(open.splice(open.indexOf(file)));
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return circles;
}

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

describe('the house', () => {
  it('has no room that nobody placed', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].filter((room) => rankOf(room) === -1)).toEqual([]);
  });

  it('lets arrows point down only', () => {
    const up = inside.filter(({ from, to, typeOnly }) => {
      // Features get a project handed in: its type alone may be known to them.
      if (roomOf(to) === 'project' && typeOnly) return false;
      return rankOf(roomOf(from)) > rankOf(roomOf(to));
    });
    expect(up.map(show)).toEqual([]);
  });

  it('lets no feature import another', () => {
    const features = LAYERS[3]!;
    const across = inside.filter(({ from, to }) => {
      const [a, b] = [roomOf(from), roomOf(to)];
      return a !== b && features.includes(a) && features.includes(b);
    });
    expect(across.map(show)).toEqual([]);
  });

  it('keeps files, clocks and chance out of the projections', () => {
    const impure = filesBelow(path.join(SRC, 'projections')).filter((file) =>
      /\bnode:fs\b|\bDate\b(?!\.parse)|Math\.random|process\.(?:env|hrtime)/.test(
        readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
      ),
    );
    expect(impure.map((file) => path.relative(SRC, file))).toEqual([]);
  });

  // `--no-regexp-tier-up`, set while a process ran, ended one hook in fifty with a segmentation fault (Node 20.20).
  it('sets V8’s flags in no hook, and elsewhere only how memory is collected', () => {
    const setting = files.filter((file) => /setFlags/.test(readFileSync(file, 'utf8')));
    expect(setting.map((file) => path.relative(SRC, file))).toEqual([
      path.join('cli', 'commands', 'import.ts'),
    ]);
  });

  it('opens every folder with a README', () => {
    const rooms = readdirSync(SRC).filter((name) => statSync(path.join(SRC, name)).isDirectory());
    expect(
      rooms.filter((room) => !readdirSync(path.join(SRC, room)).includes('README.md')),
    ).toEqual([]);
  });

  it('has one idea a file: none over 300 lines', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 300);
    expect(long.map((file) => path.relative(SRC, file))).toEqual([]);
  });

  // An import of a type counts: who reads one of the files has to know the others.
  it('has no circle of imports over six files', () => {
    const large = circlesOf(inside).filter((circle) => circle.length > 6);
    expect(large.map((circle) => circle.map((file) => path.relative(SRC, file)))).toEqual([]);
  });

  it('finds a circle that goes over several files', () => {
    const [a, b, c] = files as [string, string, string];
    const typeOnly = false;
    const imports = [
      { from: a, to: b, typeOnly },
      { from: b, to: c, typeOnly },
      { from: c, to: a, typeOnly },
    ];
    expect(circlesOf(imports).map((circle) => circle.length)).toContain(3);
    expect(circlesOf(imports.slice(1)).every((circle) => circle.length === 1)).toBe(true);
  });

  it('has no folder over 12,000 lines', () => {
    const lines = new Map<string, number>();
    for (const file of files)
      lines.set(roomOf(file), (lines.get(roomOf(file)) ?? 0) + linesOf(file));
    expect([...lines].filter(([, count]) => count > 12_000)).toEqual([]);
  });
});

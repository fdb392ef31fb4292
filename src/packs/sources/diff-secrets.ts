import {
  findSecrets,
  marker,
  type RedactionCount,
  type RedactionOptions,
  redactText,
} from '../../capture/redaction/index.ts';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** By their numbers, the rule of a secret that a line is part of. */
type SecretLines = ReadonlyMap<number | undefined, string>;

/**
 * A diff shows pieces of files, and a piece of a private key does not look like one. So secrets are looked for in whole files, and
 * each line of one becomes a marker, and is counted.
 * @param whole the same diff, with all lines of its files
 * @returns undefined if they are not the same
 */
export function withoutSecretLines(
  diff: string,
  whole: string,
  redaction: RedactionOptions,
): { text: string; redactions: RedactionCount } | undefined {
  const files = filesOf(diff);
  const wholes = filesOf(whole);
  const isSame = files.map(headOf).join('') === wholes.map(headOf).join('');
  if (!isSame) return undefined;
  const redactions: RedactionCount = {};
  const told = (id: string) => {
    redactions[id] = (redactions[id] ?? 0) + 1;
  };
  return {
    text: files.map((file, n) => masked(file, wholes[n]!, redaction, told)).join(''),
    redactions,
  };
}

const filesOf = (diff: string): string[] => diff.split(/(?<=^|\n)(?=diff --git )/);
const headOf = (file: string): string => file.split('\n@@ ', 1)[0]!;

function masked(
  file: string,
  whole: string,
  redaction: RedactionOptions,
  told: (id: string) => void,
): string {
  const before: string[] = [];
  const after: string[] = [];
  mapLines(whole, (line, from, to) => {
    if (from !== undefined) before.push(line.slice(1));
    if (to !== undefined) after.push(line.slice(1));
    return line;
  });
  const old = secretLines(before, redaction);
  const now = secretLines(after, redaction);
  if (old.size + now.size === 0) return file;
  return mapLines(file, (line, from, to) => {
    const id = old.get(from) ?? now.get(to);
    if (id === undefined) return line;
    told(id);
    return `${line[0]}${marker(id)}`;
  });
}

/** Changes the lines in hunks, given their numbers before and after; what stands behind a hunk's numbers goes: it is a line, too. */
function mapLines(
  file: string,
  change: (line: string, from: number | undefined, to: number | undefined) => string,
): string {
  let next: [number, number] | undefined;
  const lines = file.split('\n').map((line) => {
    const [head, from, to] = HUNK.exec(line) ?? [];
    if (head !== undefined) {
      next = [Number(from), Number(to)];
      return head;
    }
    if (next === undefined || !/^[-+ ]/.test(line)) return line;
    return change(
      line,
      line[0] === '+' ? undefined : next[0]++,
      line[0] === '-' ? undefined : next[1]++,
    );
  });
  return lines.join('\n');
}

/** Not those that a line shows by itself: they are redacted with the rest. */
function secretLines(lines: readonly string[], redaction: RedactionOptions): SecretLines {
  const clean = lines.map((line) => line.replace(/\r$/, '').replaceAll('\r', '\n'));
  const found = new Map<number, string>();
  let line = 0;
  let start = 0;
  const lineAt = (offset: number): number => {
    while (offset > start + clean[line]!.length) {
      start += clean[line]!.length + 1;
      line += 1;
    }
    return line;
  };
  for (const secret of findSecrets(clean.join('\n'), redaction)) {
    const first = lineAt(secret.start);
    const last = lineAt(secret.end - 1);
    if (first === last && redactText(clean[first]!, redaction).text !== clean[first]) continue;
    for (let n = first; n <= last; n += 1) found.set(n + 1, secret.id);
  }
  return found;
}

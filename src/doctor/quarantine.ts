import { readdirIfThere } from '../platform/files.ts';
import { type Finding, warn } from '../platform/finding.ts';
import { shellWord } from '../platform/shell-word.ts';
import type { Project } from '../project/open.ts';

/** Kinds of files in quarantine, by their names: the first that matches. */
const KINDS: readonly [name: RegExp, one: string, several: string][] = [
  [/\.ctx\.whole\./, 'damaged state', 'damaged states'],
  [/\.evt\.whole\./, 'unreadable inbox file', 'unreadable inbox files'],
  [/^[0-9a-f]{64}\.whole\./, 'damaged blob', 'damaged blobs'],
  [/^manifest\./, 'replaced manifest', 'replaced manifests'],
  [/\.whole\./, 'file set aside by a repair', 'files set aside by a repair'],
  [
    /\.b10z?\.0\./,
    'segment, or its beginning, from before a repair',
    'segments, or their beginnings, from before a repair',
  ],
  [/\.b10z?\.\d+\./, 'part cut out of a segment', 'parts cut out of segments'],
  [/(?:)/, 'other file', 'other files'],
];

export function checkQuarantine({ ports, layout }: Project): Finding[] {
  const { quarantine } = layout;
  const names = readdirIfThere(ports.fs, quarantine);
  if (names.length === 0) return [];
  const counts = new Map<number, number>();
  for (const name of names) {
    const kind = KINDS.findIndex(([is]) => is.test(name));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([kind, n]) => `${n.toLocaleString('en-US')} ${KINDS[kind]![n === 1 ? 1 : 2]}`);
  const what = `in ${quarantine}: ${parts.join(', ')}`;
  const mend = `ben10 does not read them. If ben10 verify reports no damage and nothing is missing, remove them: rm -r ${shellWord(quarantine)}`;
  return [warn('quarantine', what, mend)];
}

import { readdirIfThere } from '../platform/files.ts';
import { type Finding, warn } from '../platform/finding.ts';
import { shellWord } from '../platform/shell-word.ts';
import type { Project } from '../project/open.ts';

/** What a file in quarantine is, by the name that it got there: the first that fits. */
const KINDS: readonly [name: RegExp, one: string, several: string][] = [
  [/\.ctx\.whole\./, 'stored state that was damaged', 'stored states that were damaged'],
  [/\.evt\.whole\./, 'inbox file that nobody can read', 'inbox files that nobody can read'],
  [/^[0-9a-f]{64}\.whole\./, 'text that was damaged', 'texts that were damaged'],
  [/^manifest\./, 'manifest that was replaced', 'manifests that were replaced'],
  [/\.whole\./, 'whole file that a repair set aside', 'whole files that a repair set aside'],
  [
    /\.b10z?\.0\./,
    'segment, or its beginning, as it was before a repair',
    'segments, or their beginnings, as they were before a repair',
  ],
  [
    /\.b10z?\.\d+\./,
    'stretch of bytes that was cut out of a segment',
    'stretches of bytes that were cut out of segments',
  ],
  [/(?:)/, 'other file', 'other files'],
];

/** What was taken out of the journal by whoever mended it: kept for people, and in no one's way. */
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
  const what = `kept in ${quarantine}: ${parts.join(', ')}`;
  const mend = `Nothing reads them. When ben10 verify finds all well, and you miss nothing, remove them: rm -r ${shellWord(quarantine)}`;
  return [warn('quarantine', what, mend)];
}

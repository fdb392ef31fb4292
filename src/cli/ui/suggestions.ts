import type { Suggestion } from '../../packs/use/suggest.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import { columnsOf, pad } from './columns.ts';
import { count, plural } from './format.ts';

const SEQS_SHOWN = 3;

/** ` 1 src/config/keys.ts    0.81   2,010 tokens    edited with session.ts in 4 of 5 turns (@5188 …), imported by 3 files` */
export function suggestionLines(suggestions: readonly Suggestion[]): string[] {
  if (suggestions.length === 0)
    return ['Nothing to suggest: no turn, commit or import leads from these files to others.'];
  const shown = suggestions.map((one) => ({
    file: withVisible(oneLine(one.file)),
    tokens: `~${count(one.tokens)}`,
    one,
  }));
  const files = Math.max(...shown.map(({ file }) => columnsOf(file)));
  const tokens = Math.max(...shown.map(({ tokens: text }) => text.length));
  return shown.map(({ file, tokens: text, one }, at) => {
    const head = `${String(at + 1).padStart(2)} ${pad(file, files)}  ${one.score.toFixed(2)}`;
    return `${head}  ${text.padStart(tokens)} tokens  ${reasonsOf(one)}`;
  });
}

function reasonsOf({ why }: Suggestion): string {
  const { edited, readBefore, opened, commits, importedBy, imports, missed, named } = why;
  const when = edited?.seqs.slice(-SEQS_SHOWN).map((seq) => `@${seq}`);
  const more = (edited?.seqs.length ?? 0) > SEQS_SHOWN ? '… ' : '';
  const base = edited && withVisible(oneLine(edited.with.slice(edited.with.lastIndexOf('/') + 1)));
  const strong = [
    missed > 0 && `missing in ${plural(missed, 'session')} that had the pack`,
    edited &&
      `edited with ${base} in ${edited.turns} of ${plural(edited.of, 'turn')} (${more}${when!.join(' ')})`,
    edited === undefined &&
      readBefore > 0 &&
      `read before an edit in ${plural(readBefore, 'turn')}`,
    edited === undefined &&
      opened > readBefore &&
      `opened beside it in ${plural(opened - readBefore, 'turn')}`,
    named > 0 && `named ${named === 1 ? 'once' : `${named} times`} lately`,
    importedBy > 0 && `imported by ${plural(importedBy, 'file')}`,
    imports > 0 && `imports ${plural(imports, 'file')}`,
    commits > 0 && plural(commits, 'commit'),
  ].filter(Boolean);
  if (strong.length > 0) return strong.join(', ');
  return [
    why.commitsLately > 0 && `changed in ${plural(why.commitsLately, 'commit')} lately`,
    why.beside > 0 && `beside ${plural(why.beside, 'file')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

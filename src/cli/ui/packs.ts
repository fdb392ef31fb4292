import type { PackOptions, PackPolicy } from '../../events/types.ts';
import type { ArtifactRecord } from '../../projections/folds/packs.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import { columnsOf, cutTo, pad } from './columns.ts';
import { count } from './format.ts';

const FILL_TEXT: Readonly<Record<PackPolicy['fill'], string>> = {
  prefix: 'what has the lowest priority is dropped first',
  fill: 'what does not fit is left out, and smaller ones are taken',
  fail: 'if something does not fit, nothing is rendered',
};

export function policyLine(
  name: string,
  { budgetTokens, fill, tokenizer, layout }: PackPolicy,
): string {
  const order = layout === 'stable' ? '; what changes most comes last' : '';
  if (budgetTokens === null) return `Pack ${name}: no limit (${tokenizer})${order}.`;
  return `Pack ${name}: at most ${count(budgetTokens)} tokens (${tokenizer}); ${FILL_TEXT[fill]}${order}.`;
}

interface Row {
  artifact: ArtifactRecord;
  sign: string;
  about?: string;
}

export const SOURCE_COLUMNS = 34;

/** `+ 77d0e1c4  file  src/auth/jwt.ts#L40-L88    priority 10` */
export function artifactLines(rows: readonly Row[]): string[] {
  const shown = rows.map(({ artifact, sign, about = '' }) => ({
    head: `${sign === '' ? '' : `${sign} `}${artifact.id}  ${pad(artifact.kind, KIND_COLUMNS)}`,
    source: shownSource(artifact),
    about: [about, ...optionWords(artifact.options)].filter(Boolean).join(', '),
    priority: artifact.priority,
  }));
  const widthOf = (texts: readonly string[]) => Math.max(0, ...texts.map(columnsOf));
  const source = widthOf(shown.map((one) => one.source));
  const about = widthOf(shown.map((one) => one.about));
  return shown.map((one) =>
    [
      one.head,
      pad(one.source, source),
      ...(about === 0 ? [] : [pad(one.about, about)]),
      `priority ${one.priority}`,
    ].join('  '),
  );
}

/** Of `journal` and `md_dir`, the longest but for the rare `range`. */
const KIND_COLUMNS = 7;

/** Without its kind, which stands before it. */
export const shownSource = ({ source }: Pick<ArtifactRecord, 'source'>): string =>
  cutTo(withVisible(oneLine(source.slice(source.indexOf(':') + 1))), SOURCE_COLUMNS);

export const optionWords = (options: PackOptions): string[] =>
  Object.entries(options).map(([name, value]) => {
    const word = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return value === true ? word : `${word} ${oneLine([value].flat().join(' '))}`;
  });

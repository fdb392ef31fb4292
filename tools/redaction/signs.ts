import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { LITERALS } from '../../src/capture/redaction/table/literals.ts';
import { allSigns } from '../../src/capture/redaction/table/token-at.ts';

const LINE_CHARS = 96;

/** Every word followed by a tab, a literal with the character of its kind before it. */
export function scannerWords(): { literals: string; tokens: string } {
  const literals = Object.entries(LITERALS).flatMap(([kind, words]) =>
    words.map((word) => `${String.fromCharCode(Number(kind))}${word}\t`),
  );
  return {
    literals: literals.join(''),
    tokens: allSigns()
      .map((sign) => `${sign}\t`)
      .join(''),
  };
}

/** Source text of the same, over lines. */
function quoted(text: string): string {
  const lines = text.match(new RegExp(`[^]{1,${LINE_CHARS}}`, 'g')) ?? [];
  return lines
    .map((line) => {
      const inside = JSON.stringify(line).slice(1, -1);
      // As the formatter has it: the mark of which fewer must be escaped.
      return line.split("'").length > line.split('"').length
        ? `  "${inside}"`
        : `  '${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
    })
    .join(' +\n');
}

/** The file that lists what the scanner looks for. `tests/capture/redaction/scanner.test.ts` holds it so. */
export function wordsFile(): string {
  const { literals, tokens } = scannerWords();
  return `/**
 * What \`scanner.wat\` looks for, made by \`node tools/redaction.mjs signs\`: the hook knows by it which texts need the table,
 * which it does not load otherwise. Each word is followed by a tab; a literal has the character of its kind before it.
 */
export const LITERAL_WORDS =
${quoted(literals)};

/** The first two to seven characters of every token of the table and of its base64. */
export const TOKEN_WORDS =
${quoted(tokens)};
`;
}

export function writeSigns(root: string): string {
  const file = path.join(root, 'src/capture/redaction/scanner-words.ts');
  writeFileSync(file, wordsFile());
  return file;
}

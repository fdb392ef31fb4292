/** Runs of base64 or hex shorter than this are words. */
const RUN_CHARS_MIN = 12;
const BASE64_RUN = /[A-Za-z0-9+/_-](?:(?:[\r\n]|\\[rn])*[A-Za-z0-9+/_-]){11,}/g;
const HEX_RUN = /(?:[0-9A-Fa-f]{2}){6,}/g;

/** A text as it is, and as it would read if parts of it were decoded: what a pattern is looked for in. */
export function* viewsOf(text: string): Generator<string> {
  yield text;
  if (text.includes('\0')) yield text.replaceAll('\0', '');
  if (text.includes('\\')) yield unescaped(text);
  if (text.includes('%')) yield percentDecoded(text);
  if (text.length < RUN_CHARS_MIN) return;
  for (const [run] of text.matchAll(HEX_RUN)) yield Buffer.from(run, 'hex').toString('utf8');
  for (const [run] of text.matchAll(BASE64_RUN)) {
    const packed = run.replace(/[\r\n]|\\[rn]/g, '');
    // Where the run begins is known, where the base64 in it does is not.
    for (let skip = 0; skip < 4; skip += 1) {
      const bytes = Buffer.from(packed.slice(skip), 'base64');
      yield bytes.toString('utf8');
      if (bytes.includes(0)) yield bytes.toString('utf16le');
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const unescaped = (text: string): string =>
  text.replace(/\\+(?:u([0-9A-Fa-f]{4})|([nrtbf"/]))/g, (_, hex?: string, char = '') =>
    hex === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  );

const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );

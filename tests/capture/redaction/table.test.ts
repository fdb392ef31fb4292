import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { redactionOptions } from '../../../src/capture/redaction/options.ts';
import { isRuleId, marker } from '../../../src/capture/redaction/rule.ts';
import { checksumOf } from '../../../src/capture/redaction/table/checksum-of.ts';
import { crc32Base62, hasChecksum } from '../../../src/capture/redaction/table/checksums.ts';
import { CUSTOM_TOKENS } from '../../../src/capture/redaction/table/custom-tokens.ts';
import { LABELLED_ROWS } from '../../../src/capture/redaction/table/labelled-rows.ts';
import { SOURCES } from '../../../src/capture/redaction/table/row.ts';
import { TOKEN_ROWS } from '../../../src/capture/redaction/table/token-rows.ts';
import { PLAIN } from './corpus/contexts.ts';
import { allKinds, secretPart } from './corpus/generate.ts';
import { filesOf, generatedLines } from './corpus/ordinary-text.ts';
import { PASSWORD_PLACES } from './corpus/password-places.ts';
import { contextsOf, passwordRecall, recallOf } from './corpus/recall.ts';
import { UNTOLD_PLACES, untoldRecall } from './corpus/untold.ts';
import { seeded } from './samples.ts';

const { options } = compileRedaction();
const kinds = allKinds();
const ROOT = `${import.meta.dirname}/../../..`;

describe('the table', () => {
  it('describes the tokens of at least 150 vendors, each with its source', () => {
    const rows = [
      ...TOKEN_ROWS.map(([id, vendor, source]) => ({ id, vendor, source })),
      ...LABELLED_ROWS.map(([id, vendor, source]) => ({ id, vendor, source })),
      ...CUSTOM_TOKENS,
    ];
    expect(new Set(rows.map(({ vendor }) => vendor)).size).toBeGreaterThanOrEqual(150);
    for (const { id, source } of rows) {
      expect(isRuleId(id), id).toBe(true);
      expect(source.startsWith('https://') || SOURCES[source] !== undefined, source).toBe(true);
    }
  });

  it('finds nearly every plain sample of every grammar', () => {
    let found = 0;
    let of = 0;
    for (const kind of kinds) {
      const recall = recallOf(kind, PLAIN, 20);
      // A key of a few letters may look like a word; one with a beginning of its own never does.
      expect(recall.found / recall.of, `${kind.id} ${kind.grammar}`).toBeGreaterThanOrEqual(
        kind.label === undefined ? 0.95 : 0.8,
      );
      found += recall.found;
      of += recall.of;
    }
    expect(found / of).toBeGreaterThanOrEqual(0.99);
  });

  it('finds them in what stands around them', { tags: 'long' }, () => {
    const byContext = new Map<string, { found: number; of: number }>();
    for (const kind of kinds) {
      for (const context of contextsOf(kind)) {
        const recall = recallOf(kind, context, 2);
        const sum = byContext.get(context.name) ?? { found: 0, of: 0 };
        byContext.set(context.name, { found: sum.found + recall.found, of: sum.of + recall.of });
      }
    }
    for (const [name, { found, of }] of byContext)
      expect(found / of, name).toBeGreaterThanOrEqual(0.95);
  });

  it('finds passwords in URLs, connection strings, commands and files', { tags: 'long' }, () => {
    for (const place of PASSWORD_PLACES) {
      const { found, of } = passwordRecall(place);
      expect(found / of, place.name).toBeGreaterThanOrEqual(0.95);
    }
  });

  it.each(UNTOLD_PLACES)('finds pass phrases, wallets, keys and logins: $place.name', (one) => {
    const { found, of } = untoldRecall(one, 60);
    expect(found / of).toBeGreaterThanOrEqual(0.95);
  });

  it('marks hardly any line of ordinary text', () => {
    let lines = 0;
    let marked = 0;
    const sources = [
      generatedLines(20_000),
      ...filesOf(`${ROOT}/node_modules/zod`, 20_000, /(?!)/),
    ];
    for (const { text } of sources) {
      lines += text.split('\n').length;
      for (const times of Object.values(redactText(text, options).counts)) marked += times;
    }
    expect(lines).toBeGreaterThan(20_000);
    expect(marked / lines).toBeLessThanOrEqual(1 / 10_000);
  });
});

describe('the first stage, which is all that most hooks run', () => {
  const whole = redactionOptions(options.rules);

  it('lets no text pass in which all rules would find something', { tags: 'long' }, () => {
    const random = seeded(17);
    for (const kind of kinds) {
      for (const context of contextsOf(kind)) {
        const token = kind.make(random);
        const text = kind.label === undefined ? token : `${kind.label}_api_key = "${token}"`;
        const wrapped = context.wrap(text, secretPart(kind, token), random).text;
        expect(
          redactText(wrapped, options).text === redactText(wrapped, whole).text,
          `${kind.id} ${context.name}`,
        ).toBe(true);
      }
    }
    for (const place of PASSWORD_PLACES) {
      const { text } = place.wrap('hunter22x', 'hunter22x', random);
      expect(redactText(text, options)).toEqual(redactText(text, whole));
    }
  });

  it('says the same of ordinary files', () => {
    for (const { text, name } of filesOf(`${ROOT}/src`, 15_000, /(?!)/))
      expect(redactText(text, options).text === redactText(text, whole).text, name).toBe(true);
  });
});

describe('checksums', () => {
  it('are the CRC-32 of what stands before them, in base 62', () => {
    // The check value of CRC-32/ISO-HDLC for 123456789 is cbf43926.
    expect(crc32Base62('123456789')).toBe('3jZRME');
    const token = `ghp_${'a'.repeat(30)}`;
    const checked = token + crc32Base62(token.slice(4));
    expect(hasChecksum(checked)).toBe(true);
    expect(hasChecksum(checked.replace('aa', 'ab'))).toBe(false);
  });
});

describe('the checksum of a found token', () => {
  it('is right, wrong, or none', () => {
    const random = seeded(2);
    const github = kinds.find(({ id }) => id === 'GITHUB-TOKEN')?.make(random) ?? '';
    expect(checksumOf('GITHUB-TOKEN', github)).toBe(true);
    expect(checksumOf('GITHUB-TOKEN', `${github.slice(0, -1)}-`)).toBe(false);
    expect(checksumOf('GITHUB-TOKEN', `github_pat_${'a1'.repeat(20)}`)).toBe(null);
    expect(checksumOf('STRIPE-KEY', github)).toBe(null);
  });
});

describe('an example', () => {
  it('of one character again and again is no token', () => {
    for (const text of [`ghp_${'x'.repeat(36)}`, `npm_${'X'.repeat(36)}`, `AKIA${'X'.repeat(16)}`])
      expect(redactText(text, options)).toEqual({ text, counts: {} });
    expect(redactText(`ghp_${'aB3dE6gH9'.repeat(4)}`, options).text).toBe(marker('GITHUB-TOKEN'));
  });
});

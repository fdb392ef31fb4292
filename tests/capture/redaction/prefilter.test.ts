import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { engine } from '../../../src/capture/redaction/engine-here.ts';
import { compileRedaction } from '../../../src/capture/redaction/index.ts';
import { mayHoldSecret, mayNeedWork } from '../../../src/capture/redaction/search/gate.ts';
import { Prefilter } from '../../../src/capture/redaction/search/prefilter.ts';
import { SAMPLES, seeded } from './samples.ts';

const { options } = compileRedaction();
const { redactText: withoutGate, redactValue: valueWithoutGate } = engine();
/** A prefilter of these lines of keywords: kind and text, a tab, the run that a secret has, and the place of its rule. */
const filterOf = (...keywords: string[]) =>
  new Prefilter(keywords.map((one) => `${one} 0`).join('\n'));
const TOKEN = 'tghp_\t14';
const PASSWORD = 'wpassword\t0';

/** Texts and values with a secret somewhere in them. */
const SAMPLE = fc
  .tuple(fc.constantFrom(...Object.values(SAMPLES)), fc.nat(), fc.string(), fc.string())
  .map(([make, seed, before, after]) => `${before} ${make(seeded(seed)).text} ${after}`);

describe('the prefilter', () => {
  it('finds each of its keywords where it stands, those of names in any case of letters', () => {
    const filter = filterOf(TOKEN, PASSWORD, 'wq~\t0');
    const rest = 'a1b2c3d4e5f6g7h8';
    expect(filter.candidates(`x ghp_${rest} PassWord Q~`)).toEqual([2, 0, 23, 1, 32, 2]);
    expect(filter.candidates(`GHP_${rest}`)).toEqual([]);
    expect(filter.candidates('')).toEqual([]);
    expect(filter.candidates('gh')).toEqual([]);
  });

  it('finds them at every place of a long text, also over the end of what it reads at once', () => {
    const filter = filterOf(PASSWORD);
    for (let at = 16_370; at < 16_400; at += 1)
      expect(filter.candidates(`${'x'.repeat(at)}password`), String(at)).toEqual([at, 0]);
  });

  it('is not misled by letters beyond Latin-1', () => {
    const filter = filterOf(PASSWORD);
    expect(filter.candidates('\u4e70\u4e61assword')).toEqual([]);
    expect(filter.candidates('\u{1f600}\u4e70password')).toEqual([3, 0]);
  });

  it('looks for a run as long as a secret behind a name, which a name of words may be too', () => {
    const filter = filterOf('pkey\t16', 'vdatadog\t32');
    expect(filter.candidates('key = "9f86d081884c7d659a2f"')).toEqual([0, 0]);
    expect(filter.candidates('key = "the name of a key"')).toEqual([]);
    expect(filter.candidates('datadog: 9f86d081884c7d659a2feaa0c55ad015')).toEqual([0, 1]);
    expect(filter.candidates('datadog: https://docs.datadoghq.com/account')).toEqual([]);
    expect(filter.candidates('keyboard = "9f86d081884c7d659a2f"')).toEqual([]);
    expect(filter.candidates('monkey = "9f86d081884c7d659a2f"')).toEqual([]);
  });

  it('stops at addresses that have a password only', () => {
    const filter = filterOf('w://\t0');
    expect(filter.candidates('https://me:hunter2@example.com')).toEqual([5, 0]);
    expect(filter.candidates('https%3A://me%3Ahunter2%40example.com')).toEqual([8, 0]);
    expect(filter.candidates('https://example.com/a:b@c http://localhost:80/ a@b')).toEqual([]);
  });

  it('does not take the padding of base64 for an assignment', () => {
    const filter = filterOf('ppw\t0');
    for (const text of ['"sha512-4pw=="\n', '"sha512-4pw==",', 'sha512-4pw==\n', '"sha512-/pw+s"'])
      expect(filter.candidates(text), text).toEqual([]);
    for (const text of ['pw="hunter2"', 'pw == "hunter2"', 'pw += x', 'pw=hunter2'])
      expect(filter.candidates(text), text).toEqual([0, 0]);
  });

  it('finds as much and more where there is no WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    const plain = filterOf(TOKEN, PASSWORD);
    vi.unstubAllGlobals();
    expect(plain.candidates('GHP_ Password ghp_')).toEqual([5, 1, 14, 0]);
  });

  it('lets no text end in which the rules find something', () => {
    fc.assert(
      fc.property(SAMPLE, (text) => {
        const { counts } = withoutGate(text, options);
        if (Object.keys(counts).length > 0) expect(mayHoldSecret(text, options)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('lets no value end that the rules would change', () => {
    const leaf = fc.oneof(
      SAMPLE,
      fc.constantFrom('hunter2x9', 'Secret', 'DB_PASSWORD', '--token', 'x'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, leaf, tie('list'), tie('object')),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      object: fc.dictionary(
        fc.constantFrom('password', 'name', 'value', 'kind', 'data', 'api_key', 'lines', 'x'),
        tie('tree'),
        { maxKeys: 4 },
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        if (!Object.is(valueWithoutGate(value, options).value, value))
          expect(mayNeedWork(value, options)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('ends what clients write all day', () => {
    const event = {
      session_id: '8d0ee8bb-5a1c-4c4e-9e52-0e1df6bb45c5',
      transcript_path: '/home/me/.claude/projects/x/8d0ee8bb.jsonl',
      permission_mode: 'bypassPermissions',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm test', description: 'Runs the tests' },
      tool_response: { stdout: 'all 12 tests passed', stderr: '', interrupted: false },
    };
    expect(mayNeedWork(event, options)).toBe(false);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { offerOf } from '../src/mcp/profiles.ts';
import { CONFIG_KEYS } from '../src/platform/config/keys.ts';
import { ERROR_GUIDE } from '../src/platform/error-guide.ts';
import { hasTest } from './named-tests.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');

/** These have pages of their own: `contextkeeper-complete.md`, `packs-complete.md` and `ccs-complete.md`. */
const ELSEWHERE =
  /^(?:get_dev_context|save_work_state|workspace\..*|ctx_packs_.*|ben10:\/\/pack.*|(?:monitor|handoff|tracker)\..*|HANDOFF_.*|NOTHING_TO_UNDO|context_status|create_handoff|orient|verify_handoff|estimate_task|suggest_shards|defer_checkpoint|ben10:\/\/(?:monitor|handoffs).*)$/;

const page = read('ben10-complete.md');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'))
  .map((line) => line.slice(2, -2).split(' | '));

const OFFER = offerOf(['all']);

describe('the page of what was promised', () => {
  it('has rows of a capability, a file and a test', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => row.length !== 3 || row.some((cell) => !cell.trim()))).toEqual([]);
  });

  it('names tests that are there', () => {
    const missing = rows.filter(([, file, name]) => !hasTest(read(file!), name!));
    expect(missing).toEqual([]);
  });

  it('names scripts and settings of the numbers that are there', () => {
    const named = [
      ...page.matchAll(/`(bench\/\w+\.mjs|[\w.]*\/[\w/.]+\.yml|vitest\.config\.ts)`/g),
    ];
    expect(named.length).toBeGreaterThan(5);
    const root = path.join(import.meta.dirname, '..');
    expect(named.filter(([, file]) => !existsSync(path.join(root, file!)))).toEqual([]);
  });

  it('names for each error code a file that has it', () => {
    const codes = rows.flatMap(([what, file]) =>
      [...what!.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code]) => ({ code: code!, file })),
    );
    expect(codes.length).toBeGreaterThan(15);
    expect(
      codes.filter(({ code, file }) => code in ERROR_GUIDE && !read(file!).includes(code)),
    ).toEqual([]);
  });

  it.each([
    ['tool', OFFER.tools.map(({ name }) => name)],
    [
      'resource',
      [...OFFER.resources.map(({ uri }) => uri), ...OFFER.templates.map((one) => one.uriTemplate)],
    ],
    ['setting', CONFIG_KEYS.map(({ name }) => name)],
    ['error code', Object.keys(ERROR_GUIDE)],
  ])('leaves out no %s of the program', (_, names) => {
    const said = rows.map(([what]) => what).join('\n');
    expect(names.length).toBeGreaterThan(0);
    const own = names.filter((name) => !ELSEWHERE.test(name));
    expect(own.filter((name) => !said.includes(`\`${name}\``))).toEqual([]);
  });

  it('takes neither a test that is passed over nor a group for a test', () => {
    expect(hasTest("it('works', () => {", 'works')).toBe(true);
    expect(hasTest("it.runIf(POSIX)(\n  'works',", 'works')).toBe(true);
    expect(hasTest("it.skip('works', () => {", 'works')).toBe(false);
    expect(hasTest("describe('works', () => {", 'works')).toBe(false);
    expect(hasTest("it('works not', () => {", 'works')).toBe(false);
  });
});

/** @module-tag long */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error it has no types
import { endOfDemo, PICTURE, pictureOf } from '../../../tools/picture.mjs';
import { scratch } from '../../support.ts';
import { ben10, json } from '../support.ts';

interface Shown {
  ok: boolean;
  dir: string;
  steps: { command: string; exitCode: number }[];
  compaction: {
    tokensBefore: number;
    tokensAfter: number;
    held: number;
    kept: number;
    back: number;
    examples: { kind: string; seq: number; text: string; closest?: string }[];
  };
}

const demo = (args: readonly string[] = [], env: Record<string, string> = {}) => {
  const home = scratch();
  return { home, ...ben10(home, ['demo', ...args], { TMPDIR: home, ...env }) };
};

const ending = (stdout: string): string[] =>
  stdout.slice(stdout.indexOf('A compaction, without'), stdout.indexOf('What next')).split('\n');

describe('ben10 demo', () => {
  it('shows what ben10 does, within a screen’s width, and leaves its journal', () => {
    const { home, status, stdout, stderr } = demo();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const printed = stdout.trimEnd().split('\n');
    expect(printed.length).toBeLessThanOrEqual(115);
    expect(printed.filter((line) => line.length > 80 && !line.includes(home))).toEqual([]);
    for (const command of ['import', 'log', 'replay @compaction:-1', 'recall', 'compact', 'verify'])
      expect(stdout).toContain(`\n$ ben10 ${command}`);
    expect(stdout).toMatch(/KB became|MB became/);
    expect(stdout).toContain('The journal is sound.');
    expect(stdout).toContain('What next');
    const dir = /journal of this demo is in (.+)/.exec(stdout)![1]!;
    expect(existsSync(path.join(dir, '.ben10'))).toBe(true);
    expect(ben10(dir, ['verify']).status).toBe(0);
  });

  it('says what the model has without ben10 and with it, as `recall` gives it and `lost` counts it', () => {
    const { stdout, home } = demo(['--json']);
    const { ok, dir, steps, compaction } = json<Shown>({ stdout });
    expect(ok).toBe(true);
    expect(dir.startsWith(home)).toBe(true);
    expect(new Set(steps.map(({ exitCode }) => exitCode))).toEqual(new Set([0]));
    expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore / 3);
    expect(compaction.back).toBeGreaterThan(2 * compaction.kept);
    expect(compaction.held).toBeGreaterThanOrEqual(compaction.back);

    type Counted = { items: { fate: string; kind: string; seq: number; text: string }[] };
    const { items } = json<Counted>(ben10(dir, ['lost', '--json']));
    const facts = items.filter(({ kind }) => !['file', 'disk', 'mention'].includes(kind));
    expect(facts).toHaveLength(compaction.held);
    expect(facts.filter(({ fate }) => fate === 'kept')).toHaveLength(compaction.kept);
    const given = ben10(dir, ['recall', '--at', '@compaction:-1', '--source', 'compact']).stdout;
    expect(compaction.examples.length).toBeGreaterThan(3);
    for (const { kind, seq, text } of compaction.examples) {
      expect(facts).toContainEqual(expect.objectContaining({ kind, seq, text }));
      expect(facts.find((one) => one.seq === seq && one.text === text)?.fate).not.toBe('kept');
      expect(given).toMatch(new RegExp(`^(@\\d+ )*@${seq} `, 'm'));
    }
  });

  it('puts the two beside each other where there is room, else below each other, and cuts nothing', () => {
    for (const columns of [60, 80]) {
      const lines = ending(demo([], { COLUMNS: String(columns) }).stdout);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      const [without, with_] = ['WITHOUT BEN10', ' WITH BEN10'].map((head) =>
        lines.findIndex((line) => ` ${line}`.includes(head)),
      );
      if (columns >= 80) expect(with_).toBe(without);
      else expect(with_).toBeGreaterThan(without! + 5);
      expect(lines.join('\n')).toMatch(/cut the context from [\d,]+ tokens to [\d,]+\./);
    }
  });

  it('prints what README’s picture shows; else draw that again: node tools/picture.mjs', () => {
    const picture = readFileSync(PICTURE, 'utf8');
    expect(picture).toBe(pictureOf(endOfDemo()));
    expect(picture.length).toBeLessThan(60_000);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../../src/monitor/payload.ts';
import type { MonitorView } from '../../../src/monitor/view.ts';
import { type Look, levelShown, type Shown, statusLine } from '../../../src/statusline/line.ts';

const NOW = Date.UTC(2026, 0, 7, 12);
const LEVELS = { l1: 70, l2: 85, l3: 95 };
const PLAIN: Look = { style: 'brackets', width: 200, isColoured: false, isAscii: false };

const VIEW: MonitorView = {
  version: 1,
  session: 's1',
  epoch: 'start',
  window: 200_000,
  ...LEVELS,
  compactAt: 167_000,
  isCompactKnown: false,
  tokens: null,
  percent: null,
  level: 'L0',
  alerted: [],
  deferredUntil: null,
  checkpoint: { state: 'none', at: null, handoff: null },
  forecast: { to: 'L1', minutes: 38, low: 16, high: 80 },
  issue: 'ANV-123',
  phase: 'IMPL',
  loop: null,
};

function shown(
  used_percentage: number | null,
  costUsd: number,
  view: Partial<MonitorView> = {},
): Shown {
  const payload = sampleOf(
    {
      context_window: { used_percentage, context_window_size: 200_000 },
      cost: { total_cost_usd: costUsd },
      model: { id: 'claude-opus-4-8', display_name: 'Opus 4.8' },
      transcript_path: '/t.jsonl',
    },
    { window: 0 },
    () => (used_percentage === null ? { tokens: 36_000, end: 1, isRough: true } : undefined),
  );
  return { payload, view: { ...VIEW, ...view }, levels: LEVELS, now: NOW };
}

const taken = { state: 'taken', at: NOW - 42 * 60_000, handoff: null } as const;
const toL2 = { to: 'L2', minutes: 11, low: 4, high: 24 } as const;
const AT_L1 = shown(72, 3.1, { checkpoint: taken, forecast: toL2 });

describe('the status line', () => {
  it('shows bar, issue, phase, checkpoint and what matters at each level', () => {
    const ready = { state: 'ready', at: NOW, handoff: '2026-01-07-1145' } as const;
    const due = { state: 'due', at: null, handoff: null } as const;
    const at = (one: Shown) => statusLine(one, PLAIN);
    expect(at(shown(31, 1.24))).toBe(
      '[CTX: ███░░░░░░░ 31%] [ISSUE: ANV-123] [PHASE: IMPL] [CKPT: –] L1 ~38m (16–80) · $1.24 · Opus 4.8',
    );
    expect(at(AT_L1)).toBe(
      '[CTX: ███████░░░ 72% ⚠️ L1] [ISSUE: ANV-123] [PHASE: IMPL] [CKPT: 42m ago] L2 ~11m (4–24) · compacts ~84% · $3.10',
    );
    expect(at(shown(86, 4, { phase: 'TEST', checkpoint: ready }))).toBe(
      '[CTX: █████████░ 86% 🔶 L2] [ISSUE: ANV-123] [PHASE: TEST] [CKPT: Ready] 2026-01-07-1145 → /clear, /orient',
    );
    expect(at(shown(96, 4, { checkpoint: due }))).toBe(
      '[CTX: ██████████ 96% 🔴 L3] [ISSUE: ANV-123] [PHASE: IMPL] [CKPT: Due] hand off now',
    );
    const readme = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8');
    const lines = [
      shown(31, 1.24),
      AT_L1,
      shown(86, 4, { phase: 'TEST', checkpoint: ready }),
      shown(96, 4, { checkpoint: due }),
    ];
    expect(readme).toContain(lines.map(at).join('\n'));
    expect(at(shown(null, 4))).toMatch(/^\[CTX: ██░░░░░░░░ ~18%\] /);
    const nothing = {
      payload: sampleOf({}, { window: 0 }),
      view: undefined,
      levels: LEVELS,
      now: NOW,
    };
    expect(at(nothing)).toBe('[CTX: ░░░░░░░░░░ --%]');
    const loop = { n: 3, max: 20, checkpoints: 1, left: '' };
    expect(at(shown(31, 1, { loop }))).toContain('[CKPT: –] [LOOP: 3/20 · 1 ckpt] L1');
  });

  it('shows the level of the number that it shows: L1 at 70 %, not at 69', () => {
    const levelOf = (percent: number) => levelShown({ ...shown(percent, 0), view: undefined });
    expect([69, 70, 84, 85, 94, 95, 140].map(levelOf)).toEqual([
      'L0',
      'L1',
      'L1',
      'L2',
      'L2',
      'L3',
      'L3',
    ]);
    expect(statusLine(shown(69, 0), PLAIN)).not.toContain('L1]');
    expect(statusLine(shown(70, 0), PLAIN)).toContain('70% ⚠️ L1]');
    expect(levelShown(shown(76, 0, { l1: 70, l2: 75, l3: 80 }))).toBe('L2');
  });

  it('leaves out whole segments from the right, and shows only numbers where there is little room', () => {
    const at = (width: number) => statusLine(AT_L1, { ...PLAIN, width });
    expect(at(110)).toMatch(/compacts ~84%$/);
    expect(at(100)).toMatch(/\(4–24\)$/);
    expect(at(70)).toBe('[CTX: ███████░░░ 72% ⚠️ L1] [ISSUE: ANV-123] [PHASE: IMPL]');
    expect(at(59)).toBe('72% L1 · ANV-123 · L2 ~11m');
    expect(at(29)).toBe('72% L1');
    expect(at(1)).toBe('72% L1');
  });

  it('does without colours and unusual characters', () => {
    expect(statusLine(AT_L1, { ...PLAIN, width: 80, isAscii: true })).toBe(
      '[CTX: #######--- 72% ! L1] [ISSUE: ANV-123] [PHASE: IMPL] [CKPT: 42m ago]',
    );
  });

  it('colours its level: green, yellow, magenta, bold red', () => {
    const colourOf = (percent: number) =>
      /^\x1b\[([\d;]+)m\[CTX: [^\]]+\]\x1b\[0m /.exec(
        statusLine(shown(percent, 0), { ...PLAIN, isColoured: true }),
      )?.[1];
    expect([31, 72, 86, 96].map(colourOf)).toEqual(['32', '33', '35', '1;31']);
  });

  it('shows the asked segments in the asked order, plain if asked', () => {
    const powerline = { ...PLAIN, style: 'powerline', segments: ['ctx', 'cost'] } as const;
    const [arrow, ascii] = [false, true].map((isAscii) =>
      statusLine(AT_L1, { ...powerline, isAscii }),
    );
    expect(arrow).toBe('███████░░░ 72% ⚠️ L1 \ue0b0 $3.10');
    expect(ascii).toBe('#######--- 72% ! L1 > $3.10');
    const segments = ['model', 'ctx', 'cost', 'limits', 'compacts'] as const;
    expect(statusLine(AT_L1, { ...PLAIN, style: 'plain', segments })).toBe(
      'Opus 4.8 · ███████░░░ 72% ⚠️ L1 · $3.10 · compacts ~84%',
    );
  });

  it('cleans and cuts names', () => {
    const issue = `A\x1b[31m\u202e-1${'x'.repeat(99)}`;
    const line = statusLine(shown(31, 0, { issue }), PLAIN);
    expect(line).toMatch(/\[ISSUE: A-1x{37}\]/);
  });
});

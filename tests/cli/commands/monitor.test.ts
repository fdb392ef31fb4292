import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { viewFile } from '../../../src/monitor/view.ts';
import { anEvent, NOON } from '../../log/events.ts';
import { openTestProject } from '../../support.ts';
import { emptyProject, inMemory, json, recordedProject, SESSION, SESSION_ID } from '../support.ts';

/** A project in which the client said how full its context is. */
function sampled(...percents: [session: string, percent: number][]): string {
  const project = openTestProject(emptyProject());
  project.writer.append(
    percents.map(([session, percent], n) =>
      anEvent(
        'context.sampled',
        {
          tokens: percent * 2000,
          window: 200_000,
          windowFrom: 'client',
          percent,
          via: 'statusline',
        },
        { session, at: NOON + n },
      ),
    ),
  );
  return project.dir;
}

describe('ben10 monitor', () => {
  it('shows how full the context is, as it was said last', async () => {
    const dir = sampled(['s1', 41], ['s1', 72]);
    const { code, stdout } = await inMemory(dir, ['monitor'], { now: NOON });
    expect([code, stdout]).toEqual([
      0,
      [
        'Context: 72%, 144,000 of 200,000 tokens\n  session: s1\n  as of:   12:00:00',
        '  level:   L1; L1 at 70, L2 at 85, L3 at 95%\n  next:    compacts ~84%',
        '  work:    LOOK\n  ckpt:    –\n',
      ].join('\n'),
    ]);
    expect(json(await inMemory(dir, ['monitor', 'status', '--json']))).toEqual({
      session: 's1',
      at: NOON + 1,
      moment: { good: [], bad: [], isGood: false },
      percent: 72,
      tokens: 144_000,
      window: 200_000,
      windowFrom: 'client',
      via: 'statusline',
      model: null,
      costUsd: null,
      limits: null,
      view: expect.objectContaining({ level: 'L1', percent: 72 }),
    });
  });

  it('shows what else is known of the session: levels, forecast, work and checkpoint', async () => {
    const dir = sampled(['s1', 72]);
    mkdirSync(path.join(dir, '.ben10/monitor'));
    const view = {
      ...{ version: 1, session: 's1', level: 'L1', l1: 70, l2: 85, l3: 95, window: 200_000 },
      ...{ compactAt: 167_000, isCompactKnown: true, issue: 'ANV-7', phase: 'TEST' },
      forecast: { to: 'L2', minutes: 11, low: 4, high: 24 },
      checkpoint: { state: 'taken', at: NOON - 120_000, handoff: null },
    };
    writeFileSync(viewFile(`${dir}/.ben10`, 's1'), JSON.stringify(view));
    const { stdout } = await inMemory(dir, ['monitor'], { now: NOON });
    expect(stdout.split('\n').slice(3, -1)).toEqual([
      '  level:   L1; L1 at 70, L2 at 85, L3 at 95%',
      '  next:    L2 ~11m (4–24) · compacts 84%',
      '  work:    ANV-7 · TEST',
      '  ckpt:    2m ago',
    ]);
    expect(json(await inMemory(dir, ['monitor', '--json']))).toMatchObject({ view });
  });

  it('knows of an imported session what its transcript says, and so does checkpoint --status', async () => {
    const dir = recordedProject();
    const last = readFileSync(SESSION, 'utf8')
      .split('\n')
      .flatMap((line) => (line.includes('"usage"') ? [JSON.parse(line)] : []))
      .at(-1).message;
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = last.usage;
    const tokens = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
    const percent = Math.round(tokens / 2000);
    const known = { session: SESSION_ID, percent, tokens, window: 200_000, via: 'transcript' };
    expect(json(await inMemory(dir, ['monitor', '--json']))).toMatchObject({
      ...known,
      model: last.model,
    });
    const { contextPercent } = json(await inMemory(dir, ['checkpoint', '--status', '--json']));
    expect(contextPercent).toBe(percent);
  });

  it('says so where nothing is known', async () => {
    const none = await inMemory(emptyProject(), ['monitor']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('Nothing is known yet');
    expect(await inMemory(emptyProject(), ['monitor', '--json'])).toMatchObject({
      code: 1,
      stdout: 'null\n',
    });
  });
});

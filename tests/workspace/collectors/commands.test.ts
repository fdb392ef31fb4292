import { describe, expect, it } from 'vitest';
import type { ContextState } from '../../../src/projections/folds/context.ts';
import { context } from '../../../src/projections/folds/context.ts';
import { commands, isRelevant } from '../../../src/workspace/collectors/commands.ts';
import { factOf } from '../../projections/support/telling.ts';
import { around, nothingRecorded } from '../support.ts';

/** A session that ran these, in their order. */
function ran(list: readonly string[], from = 0): ContextState {
  let state = context.initial();
  for (const [index, command] of list.entries()) {
    const toolUseId = `t${from + index}`;
    const at = from + index;
    state = context.apply(
      state,
      factOf('tool.called', { toolUseId, name: 'Bash', input: { command } }, { at, seq: at }),
    );
    state = context.apply(
      state,
      factOf(
        'tool.succeeded',
        { toolUseId, name: 'Bash', response: { stdout: '' } },
        { at, seq: at },
      ),
    );
  }
  return state;
}

function collect(contexts: ContextState[], history = {}) {
  const given = around('/', { recorded: () => ({ ...nothingRecorded(), contexts }) });
  Object.assign(given.settings.history, history);
  return (commands.collect(given) as { command: string; outcome: string }[]).map(
    ({ command }) => command,
  );
}

describe('recent relevant commands', () => {
  it('are the newest of the sessions, each once, the oldest first, and none that merely looks', () => {
    const before = ran(['make all', 'npm test'], 0);
    const now = ran(
      ['ls -la', 'npm test', 'git status', 'cd /x && cat y', 'lunch emu', 'git checkout -b z'],
      10,
    );
    expect(collect([now, before])).toEqual([
      'make all',
      'npm test',
      'lunch emu',
      'git checkout -b z',
    ]);
  });

  it('are as many as the settings say, of those the newest, or none', () => {
    const state = ran(['make a', 'make b', 'make c']);
    expect(collect([state], { maxEntries: 2 })).toEqual(['make b', 'make c']);
    expect(collect([state], { enabled: false })).toEqual([]);
  });

  it('are by pattern where the settings have some, also those that look', () => {
    const state = ran([
      'lunch emu',
      'source build/envsetup.sh',
      'echo lunch',
      'npm test',
      'ls out/target',
    ]);
    expect(collect([state], { patterns: ['lunch'] })).toEqual(['lunch emu', 'echo lunch']);
    expect(collect([state], { patterns: ['^lunch', 'source build/*.sh'] })).toEqual([
      'lunch emu',
      'source build/envsetup.sh',
    ]);
    expect(collect([state], { patterns: ['ls .*target'] })).toEqual(['ls out/target']);
  });

  it('lose escapes and line ends, and are cut', () => {
    const [command] = collect([ran([`make \u001b[31mred\u001b[0m\n# x ${'y'.repeat(400)}`])]);
    expect(command).toMatch(/^make red # x y+…$/);
    expect(command!.length).toBeLessThanOrEqual(161);
  });
});

it('no pattern takes long, whoever wrote it', () => {
  const started = performance.now();
  expect(isRelevant('a'.repeat(400), [`${'*a'.repeat(450)}b`])).toBe(false);
  expect(performance.now() - started).toBeLessThan(5000);
});

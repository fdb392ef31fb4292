import { describe, expect, it } from 'vitest';
import { answerTo, given } from '../../src/hook/give.ts';
import { guarding } from '../../src/hook/guard.ts';
import type { Ben10Config } from '../../src/platform/config/keys.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { HookMoment, Injection } from '../../src/project/doors.ts';
import { readEvents } from '../../src/projections/events.ts';
import { openTestProject } from '../support.ts';

const moment = (event: string, autoRestore = true): HookMoment => ({
  event,
  session: 's',
  source: undefined,
  trigger: undefined,
  cwd: undefined,
  transcript: undefined,
  config: { context: { autoRestore }, recall: { notice: true } } as Ben10Config,
  isAwaited: true,
  readUntil: Date.now() + 1000,
  left: [],
  read: { added: 0, isWhole: true },
});

const says = (text: string, worth: number, more: Partial<Injection> = {}): Injection => ({
  on: ['SessionStart'],
  worth,
  failed: `${text.slice(0, 10)} was not given`,
  render: () => ({ text }),
  ...more,
});

const give = (injections: readonly Injection[], at = moment('SessionStart')) => {
  const { guard, complaint } = guarding();
  const project = openTestProject();
  const { text, notice } = given(project, at, injections, guard);
  const { reader, ports } = project;
  const types = [...readEvents(reader, ports.xxh64, {})].map(({ type }) => type);
  return { text, notice, types, complaint: complaint() };
};

describe('what is given to the model', () => {
  it('stands in the order of the list, whatever is worth more', () => {
    expect(give([says('a', 1), says('b', 2)])).toMatchObject({
      text: 'a\nb',
      notice: expect.stringMatching(/^ben10: \d+ tokens$/),
    });
  });

  it('shares 9,000 characters: what is worth more takes its room first, and nothing is cut', () => {
    const rooms: number[] = [];
    const seen = says('rest', 1, {
      render(_, __, { left, used }) {
        rooms.push(left, used);
        return { text: 'x'.repeat(left) };
      },
    });
    const { text } = give([seen, says('y'.repeat(4000), 2)]);
    expect(rooms).toEqual([4999, 4000]);
    expect(text).toHaveLength(9000);
    expect(give([says('y'.repeat(9001), 2), says('z', 1)]).text).toBe('z');
  });

  it('is recorded before it is printed, and not where it could not be given', () => {
    const told = says('once', 1, {
      render: ({ recorder }) => {
        const data = { worktree: '', upto: 1, chars: 4 };
        return { text: 'once', told: recorder.ownEvent('environment.told', 's', data, 'hook') };
      },
    });
    expect(give([told])).toMatchObject({ text: 'once', types: ['environment.told'] });
    const { text, types } = give([told], moment('SessionStart', false));
    expect([text, types]).toEqual(['', []]);
  });

  it('goes without the one that fails, and its line says why', () => {
    const fails = says('bad', 2, {
      render() {
        throw new Error('no');
      },
    });
    const { text, complaint } = give([fails, says('good', 1)]);
    expect(text).toBe('good');
    expect(complaint).toBe('ben10: bad was not given: error: no. Run: ben10 doctor');
  });

  it('is JSON, but for a compaction’s instructions', () => {
    expect(answerTo('SessionStart', '', [])).toBe('');
    expect(answerTo('PreCompact', 'keep this', [])).toBe('keep this');
    expect(JSON.parse(answerTo('SessionStart', 'a', ['b', 'c']))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'a' },
      systemMessage: 'b\nc',
    });
  });
});

describe('a step of a hook', () => {
  it('that fails keeps nothing from running; of several the first has the line', () => {
    const { guard, complaint } = guarding();
    const fail = (what: string) => () => {
      throw new Error(what);
    };
    expect(guard('one', fail('a'))).toBe(undefined);
    expect(guard('two', fail('b'))).toBe(undefined);
    expect(guard('three', () => 3)).toBe(3);
    expect(complaint()).toMatch(/^ben10: one: error: a/);
  });

  it('that has no more time ends the hook: the next one goes on', () => {
    const { guard } = guarding();
    const late = new Ben10Error('STATES_BEHIND', 'later');
    expect(() =>
      guard('one', () => {
        throw late;
      }),
    ).toThrow(late);
  });
});

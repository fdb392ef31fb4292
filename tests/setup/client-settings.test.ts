import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { installHooks, removeHooks } from '../../src/setup/client-settings.ts';
import { groupFor, handlerFor } from '../../src/setup/hook-entry.ts';
import { type Carrier, HOOKS } from '../../src/setup/hooks-table.ts';
import { parseJsonText } from '../../src/setup/json-text.ts';
import { errorOf } from '../support.ts';
import { groups, layOut, layouts } from './json-samples.ts';

const portable = { command: 'ben10' } as const;
const doc = (text: string) => parseJsonText('settings.json', text);
const install = (text: string, carrier: Carrier = 'mcp') =>
  installHooks(doc(text), carrier, portable).text;
const remove = (text: string) => removeHooks(doc(text)).text;
// biome-ignore lint/suspicious/noExplicitAny: looked into by the tests
const value = (text: string): any => parse(text.replace(/^\ufeff/, ''));

const comments = (text: string) => text.match(/\/\/[^\r\n]*|\/\*.*?\*\//g);

const DENIED = 'mcp__ben10__ben10_record';
const wanted = (carrier: Carrier) => ({
  hooks: Object.fromEntries(
    HOOKS.map((row) => [row.event, [groupFor(row, handlerFor(row, carrier, portable))]]),
  ),
  permissions: { deny: [DENIED] },
});
const stop = handlerFor(HOOKS.find(({ event }) => event === 'Stop')!, 'mcp', portable);
const theirs = { type: 'command', command: 'notify-send done' };
const settings = (event: string, ...list: unknown[]) =>
  JSON.stringify({ hooks: { [event]: list } }, null, 2);

describe('installing hooks', () => {
  it.each(['mcp', 'command'] as const)(
    'writes every hook of the table with the carrier %s',
    (carrier) => {
      expect(value(install('{}', carrier))).toEqual(wanted(carrier));
    },
  );

  it('keeps the hooks, comments and order of others', () => {
    const before = [
      '{',
      '    // my settings',
      '    "model": "opus", /* big */',
      '    "hooks": {',
      '        "Stop": [',
      '            { "hooks": [{ "type": "command", "command": "notify-send done" }] } // bell',
      '        ]',
      '    },',
      '    "permissions": { "allow": ["Bash(ls)"], "deny": ["Read(.env)"] }',
      '}',
      '',
    ].join('\r\n');
    const after = install(before);
    expect(after).not.toMatch(/[^\r]\n/);
    expect(after.split('\r\n').slice(0, 5)).toEqual(before.split('\r\n').slice(0, 5));
    expect(after).toContain('// bell');
    expect(value(after).hooks.Stop).toEqual([{ hooks: [theirs] }, { hooks: [stop] }]);
    expect(value(after).permissions).toEqual({ allow: ['Bash(ls)'], deny: ['Read(.env)', DENIED] });
    expect(value(remove(after))).toEqual(value(before));
    expect(comments(remove(after))).toEqual(comments(before));
  });

  it('brings an older entry up to date where it stands', () => {
    const old = { type: 'command', command: '/old/copy/ben10 hook stop', timeout: 60 };
    const text = settings('Stop', { hooks: [old, theirs] }, { hooks: [theirs] });
    expect(value(install(text)).hooks.Stop).toEqual([
      { hooks: [stop, theirs] },
      { hooks: [theirs] },
    ]);
  });

  it('changes the carrier where the entry stands', () => {
    const commands = install('{}', 'command');
    expect(value(install(commands, 'mcp'))).toEqual(wanted('mcp'));
    expect(install(install(commands, 'mcp'), 'command')).toBe(commands);
  });

  it('leaves one entry of several, and nothing empty behind', () => {
    const text = settings(
      'Stop',
      { hooks: [stop] },
      { hooks: [theirs, stop] },
      { matcher: '', hooks: [stop] },
    );
    expect(value(install(text)).hooks.Stop).toEqual([{ hooks: [stop] }, { hooks: [theirs] }]);
  });

  it('moves an entry that runs for some tools only to a group for all', () => {
    const handler = handlerFor(HOOKS.find(({ event }) => event === 'PreToolUse')!, 'mcp', portable);
    const text = settings('PreToolUse', { matcher: 'Bash', hooks: [theirs, handler] });
    expect(value(install(text)).hooks.PreToolUse).toEqual([
      { matcher: 'Bash', hooks: [theirs] },
      { matcher: '*', hooks: [handler] },
    ]);
  });

  it('leaves hooks of ben10 on events that are not in the table to their author', () => {
    const extra = { hooks: [{ type: 'command', command: 'ben10 hook notification' }] };
    expect(value(install(settings('Notification', extra))).hooks.Notification).toEqual([extra]);
  });

  it.each([
    ['[]', 'the file must be an object, but is an array', 1],
    ['"x"', 'the file must be an object, but is a string', 1],
    ['{"hooks": []}', 'hooks must be an object, but is an array', 1],
    ['{"hooks": null}', 'hooks must be an object, but is null', 1],
    ['{"hooks":\n{"Stop": {}}}', 'hooks.Stop must be an array, but is an object', 2],
    ['{"hooks": {"Stop": ["x"]}}', 'hooks.Stop[0] must be an object, but is a string', 1],
    [
      '{"hooks": {"Stop": [{}]}}',
      'hooks.Stop[0] must be an object with an array "hooks", but is an object',
      1,
    ],
    [
      '{"hooks": {"Stop": [\n{"hooks": {}}]}}',
      'hooks.Stop[0].hooks must be an array, but is an object',
      2,
    ],
    ['{"permissions": []}', 'permissions must be an object, but is an array', 1],
    ['{"permissions": {"deny": "x"}}', 'permissions.deny must be an array, but is a string', 1],
    ['{"hooks": {}, "hooks": {}}', 'hooks is there twice', 1],
  ])('refuses %s', (text, message, line) => {
    expect(errorOf(() => install(text))).toMatchObject({
      code: 'SETTINGS_INVALID',
      message: `settings.json: ${message}`,
      place: { line },
    });
  });

  it('gives a setting named __proto__ no power', () => {
    const text = '{"__proto__": {"hooks": []}, "hooks": {"__proto__": []}}';
    const after = install(text);
    expect(after.startsWith('{"__proto__": {"hooks": []}, "hooks": {"__proto__": [],')).toBe(true);
  });
});

describe('removing hooks', () => {
  it('takes ours out wherever they are, and nothing of others', () => {
    const own = { type: 'command', command: 'node /x/ben10.cjs hook notification' };
    const text = settings('Notification', { matcher: 'x', hooks: [theirs, own] }, { hooks: [own] });
    expect(value(remove(text))).toEqual({
      hooks: { Notification: [{ matcher: 'x', hooks: [theirs] }] },
    });
  });

  it('leaves what was empty before, and what has no shape', () => {
    for (const text of [
      '{"hooks": {}}',
      '{"hooks": {"Stop": []}, "permissions": {"deny": []}}',
      '{"hooks": []}',
      '{"hooks": {"Stop": [1, {"hooks": 2}, {"hooks": [3]}]}, "permissions": "x"}',
      '[]',
    ]) {
      expect(remove(text)).toBe(text);
    }
  });

  it.each([
    '{"hooks": {}, "model": "opus"}',
    '{"hooks": {"Stop": []}}',
    '{\n  "hooks": {\n    "Stop": [],\n    "Other": []\n  }\n}\n',
    '{"permissions": {"deny": []}}',
    '{"permissions": {"deny": []}, "hooks": {"Stop": []}}',
    '{"a":1, "hooks": {/* z */}}',
    '{"a":1, "permissions": {"deny": [ ]}, "b": 2}',
  ])('leaves what was empty before the install, where it can be told: %s', (text) => {
    const after = install(text);
    expect(after).not.toBe(text);
    expect(value(remove(after))).toEqual(value(text));
  });

  it('takes away what it made, also where others added something behind it', () => {
    const made = install('{"model": "opus"}');
    const more = made.replace(/\}$/, ', "enabledMcpjsonServers": ["ben10"]}');
    expect(remove(more)).toBe('{"model": "opus", "enabledMcpjsonServers": ["ben10"]}');
  });

  it('takes away what is empty only because of it', () => {
    const text =
      '{"a": 1, "hooks": {"Stop": [], "PreCompact": [{"hooks": [{"type": "command", "command": "ben10 hook x"}]}]}}';
    expect(value(remove(text))).toEqual({ a: 1, hooks: { Stop: [] } });
  });
});

describe('any settings in any layout', () => {
  const carrier = fc.constantFrom('mcp' as const, 'command' as const);
  /** Settings with hooks and permissions of others, none of them empty. */
  const others = fc.record(
    {
      hooks: fc.record(
        {
          Stop: fc.constant([{ hooks: [theirs] }]),
          PreToolUse: fc.constant([{ matcher: 'Bash', hooks: [theirs, theirs] }]),
          Other: fc.constant('any shape'),
        },
        { requiredKeys: ['Other'] },
      ),
      permissions: fc.record(
        { allow: fc.constant([]), deny: fc.constant(['Read(.env)']) },
        { requiredKeys: ['allow'] },
      ),
    },
    { requiredKeys: [] },
  );

  it('hold our entries once and all of others after an install, and say the same again after an uninstall', () => {
    fc.assert(
      fc.property(groups, others, layouts, carrier, (rest, known, layout, by) => {
        const before = { ...rest, ...known };
        fc.pre(Object.keys(before).length > 0);
        const text = layOut(before, layout);
        const after = install(text, by);
        expect(install(after, by)).toBe(after);
        expect(value(remove(after))).toEqual(before);
        expect(comments(remove(after))).toEqual(comments(text));
        const result = value(after);
        for (const [key, item] of Object.entries(rest)) expect(result[key]).toEqual(item);
        for (const row of HOOKS) {
          const handler = handlerFor(row, by, portable);
          const all = result.hooks[row.event].flatMap((group: { hooks: unknown[] }) => group.hooks);
          expect(
            all.filter((each: unknown) => JSON.stringify(each) === JSON.stringify(handler)),
          ).toHaveLength(1);
        }
        expect(result.permissions.deny.filter((each: string) => each === DENIED)).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });
});

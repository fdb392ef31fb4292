import { describe, expect, it } from 'vitest';
import { HOOKS } from '../../src/setup/hooks-table.ts';

const kebab = (event: string) => event.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

describe('the table of hooks', () => {
  it('names every event once, and its hook after it', () => {
    expect(new Set(HOOKS.map(({ event }) => event)).size).toBe(HOOKS.length);
    for (const { event, name } of HOOKS) expect(name).toBe(kebab(event));
  });

  it('gives every hook an explicit timeout: ten seconds where a session starts or is compacted, else five', () => {
    for (const { event, timeout } of HOOKS.filter(({ carrier }) => carrier === 'command')) {
      expect(timeout).toBe(event === 'SessionStart' || event === 'PreCompact' ? 10 : 5);
    }
  });

  it('never lets a hanging server hold up a tool call by more than five seconds', () => {
    const timeoutOf = (name: string) => HOOKS.find(({ event }) => event === name)!.timeout;
    expect(timeoutOf('PreToolUse') + timeoutOf('PostToolUse')).toBeLessThan(5);
    expect(timeoutOf('PreToolUse') + timeoutOf('PostToolUseFailure')).toBeLessThan(5);
  });

  it('lets nobody wait for a process at a tool call or a sub-agent', () => {
    const byTool = HOOKS.filter(({ carrier }) => carrier === 'mcp').map(({ event }) => event);
    expect(byTool).toEqual([
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'SubagentStart',
      'SubagentStop',
    ]);
    for (const row of HOOKS) expect(row.matcher).toBe(row.carrier === 'mcp');
  });

  it('leaves out what fires many times a second or repeats others', () => {
    const events = HOOKS.map(({ event }) => event);
    for (const noisy of ['MessageDisplay', 'PostToolBatch']) expect(events).not.toContain(noisy);
  });

  it('passes on what identifies a call, in paths that the client can fill', () => {
    for (const row of HOOKS) {
      if (row.carrier === 'command') continue;
      expect(row.input).toContain('session_id');
      expect(row.input).toContain('agent_id');
      expect(row.input.includes('tool_use_id')).toBe(row.event.includes('Tool'));
      for (const path of row.input) expect(path).toMatch(/^[a-z_]+$/);
    }
  });
});

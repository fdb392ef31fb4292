import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookInput } from '../../src/mcp/hook-input.ts';

describe('the arguments of an mcp_tool hook', () => {
  it('become what a command hook has on stdin', () => {
    const stdin = {
      hook_event_name: 'PostToolUse',
      session_id: 's',
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command: 'ls', nested: [1, { a: null }] },
      tool_response: [{ type: 'text', text: 'ok' }],
      duration_ms: 27,
      is_interrupt: false,
    };
    const filledIn = Object.entries(stdin).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    expect(hookInput(Object.fromEntries(filledIn))).toEqual(stdin);
  });

  it('lose what led nowhere', () => {
    expect(hookInput({ agent_id: '', agent_type: '', session_id: 's' })).toEqual({
      session_id: 's',
    });
  });

  it('keep objects, numbers and booleans that a client passes as they are', () => {
    const args = { tool_input: { a: 1 }, duration_ms: 5, is_interrupt: true, more: [1] };
    expect(hookInput(args)).toEqual(args);
  });

  it('keep text that is no JSON object or list, in the fields that may be one', () => {
    for (const tool_response of [
      'plain',
      '{"half":',
      '[1,',
      '12',
      'true',
      'null',
      '"quoted"',
      '{x}',
    ]) {
      expect(hookInput({ tool_response })).toEqual({ tool_response });
    }
  });

  it('keep text in all other fields, whatever it looks like', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(hookInput({ error: text, prompt: text })).toEqual({ error: text, prompt: text });
      }),
    );
  });

  it('keep a number that is none, and a boolean that is none, as text', () => {
    const args = { duration_ms: '12ms', is_interrupt: 'yes' };
    expect(hookInput(args)).toEqual(args);
    expect(hookInput({ duration_ms: '1e9', stop_hook_active: 'TRUE' })).toEqual({
      duration_ms: '1e9',
      stop_hook_active: 'TRUE',
    });
  });

  it('set no prototype', () => {
    const input = hookInput(JSON.parse('{"__proto__": {"session_id": "evil"}, "a": "b"}'));
    expect(input.session_id).toBeUndefined();
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });
});

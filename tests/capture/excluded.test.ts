import { describe, expect, it } from 'vitest';
import { observeHook } from '../../src/capture/claude/hooks.ts';
import { withoutExcluded } from '../../src/capture/excluded.ts';
import { Recorder } from '../../src/capture/recorder.ts';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { excludedBy } from '../../src/platform/exclude.ts';
import { World } from './support/world.ts';

const by = (file: string) => (file.endsWith('.env') ? '*.env' : undefined);
const cut = (data: object, file?: string) => withoutExcluded(data, file, by);
const GONE = { file_path: '/p/.env', excluded: '*.env' };

describe('the content of an excluded file', () => {
  it.each([
    ['a Write', { input: { file_path: '/p/.env', content: 'needle' } }],
    ['an Edit', { input: { file_path: '/p/.env', old_string: 'needle', new_string: 'needle' } }],
    ['a MultiEdit', { input: { file_path: '/p/.env', edits: [{ old_string: 'needle' }] } }],
    ['a notebook', { input: { notebook_path: '/p/.env', new_source: 'needle' } }],
    ['a search in it', { input: { path: '/p/.env', pattern: 'needle' } }],
  ])('is cut out of the input of %s', (_, data) => {
    expect(cut({ toolUseId: 't', ...data })).toEqual({ toolUseId: 't', input: GONE });
  });

  it.each([
    ['a Write', { filePath: '/p/.env', content: 'needle', structuredPatch: ['needle'] }],
    ['a Read', { type: 'text', file: { filePath: '/p/.env', content: 'needle' } }],
    ['an Edit', { filePath: '/p/.env', originalFile: 'needle' }],
  ])('is cut out of the answer of %s', (_, response) => {
    expect(cut({ toolUseId: 't', response })).toEqual({ toolUseId: 't', response: GONE });
  });

  it('is cut out of an answer that does not say whose it is', () => {
    for (const response of [
      'needle',
      [{ text: 'needle' }],
      { type: 'image', file: { base64: 'x' } },
    ]) {
      expect(cut({ response }, '/p/.env')).toEqual({ response: GONE });
      expect(cut({ response }, '/p/other')).toEqual({ response });
    }
  });

  it('is cut out of a hook that is kept as it came', () => {
    const payload = {
      tool_name: 'Write',
      tool_input: { file_path: '/p/.env', content: 'needle' },
      tool_response: 'needle',
    };
    expect(cut({ event: 'PermissionRequest', payload })).toEqual({
      event: 'PermissionRequest',
      payload: { tool_name: 'Write', tool_input: GONE, tool_response: GONE },
    });
  });

  it('is all that is cut', () => {
    const others = [
      { input: { file_path: '/p/a.ts', content: 'kept' } },
      { input: { command: 'cat .env' } },
      { response: 'kept' },
      { text: 'of .env' },
      { input: null, response: undefined },
    ];
    for (const data of others) expect(cut(data)).toEqual(data);
    const data = { input: { file_path: '/p/.env', content: 'kept' } };
    expect(withoutExcluded(data, undefined, undefined)).toBe(data);
  });
});

describe('a hook that answers about a file', () => {
  it('has the file from its call', () => {
    const input = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_use_id: 't',
      tool_input: { file_path: '/p/.env', content: 'needle' },
      tool_response: { type: 'image', file: { base64: 'needle' } },
    };
    const world = new World();
    const { ports, root, writer } = world;
    const redaction = compileRedaction().options;
    const excluded = (file: string) => excludedBy(['.env'], '/p', file);
    const recorder = new Recorder({ ports, root, writer, redaction, excluded, client: 'c' });
    recorder.append([recorder.event(observeHook('PostToolUse', input, 1)!, 'hook')]);
    // Both: the call goes along where its own hook did not come.
    expect(world.events().map(({ data }) => data)).toMatchObject([
      { input: { file_path: '/p/.env', excluded: '.env' } },
      { response: { file_path: '/p/.env', excluded: '.env' } },
    ]);
    expect(JSON.stringify(world.events())).not.toContain('needle');
  });
});

import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../src/setup/json-text.ts';
import { entryOf, installServer, removeServer, serverFor } from '../../src/setup/mcp-servers.ts';
import { errorOf } from '../support.ts';

const portable = { command: 'ben10' } as const;
const local = { node: '/usr/bin/node', script: '/opt/ben10.cjs' };
const install = (text: string, binary: Parameters<typeof serverFor>[0] = portable) =>
  installServer(parseJsonText('.mcp.json', text), binary).text;
const remove = (text: string) => removeServer(parseJsonText('.mcp.json', text)).text;

const OTHERS = `{
  // ours
  "mcpServers": {
    "db": { "command": "db-mcp", "args": [] }
  }
}
`;

describe('the MCP configuration', () => {
  it('gets the server, started from PATH, without variables', () => {
    expect(JSON.parse(install('{}'))).toEqual({
      mcpServers: { ben10: { command: 'ben10', args: ['serve'] } },
    });
    expect(serverFor(local)).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/ben10.cjs', 'serve'],
    });
  });

  it('keeps other servers and comments, and gives them back', () => {
    const after = install(OTHERS);
    expect(parse(after)).toEqual({
      mcpServers: {
        db: { command: 'db-mcp', args: [] },
        ben10: { command: 'ben10', args: ['serve'] },
      },
    });
    expect(after).toContain('// ours');
    expect(install(after)).toBe(after);
    expect(parse(remove(after))).toEqual(parse(OTHERS));
    expect(remove(after)).toContain('// ours');
    expect(remove(OTHERS)).toBe(OTHERS);
  });

  it('changes only how a server that is there is started', () => {
    const text =
      '{"mcpServers": {"ben10": {"type": "stdio", "command": "/old/ben10", "args": ["serve", "--x"], "env": {"BEN10_LOG_LEVEL": "debug"}}}}';
    expect(JSON.parse(install(text)).mcpServers.ben10).toEqual({
      type: 'stdio',
      command: 'ben10',
      args: ['serve'],
      env: { BEN10_LOG_LEVEL: 'debug' },
    });
    expect(install(install(text, local), portable)).toBe(install(text));
    expect(JSON.parse(install('{"mcpServers": {"ben10": {}}}')).mcpServers.ben10).toEqual({
      command: 'ben10',
      args: ['serve'],
    });
  });

  it.each([
    '{"command":"mine","args":["x"],"env":{"A":"1"}}',
    '{"type": "http", "url": "http://127.0.0.1:1/mcp"}',
    '{"url": "x"}',
    '{"type": "sse"}',
    '{"type": "http", "command": "ben10", "args": ["serve"]}',
    '{"command": "ben10", "args": ["hook"]}',
  ])('neither changes nor takes away a server of the same name that is not ours: %s', (entry) => {
    const text = `{\n  "mcpServers": {"ben10": ${entry}}\n}\n`;
    expect(errorOf(() => install(text))).toMatchObject({
      code: 'SETTINGS_INVALID',
      message: '.mcp.json has another server named "ben10"',
      place: { file: '.mcp.json', line: 2, column: 27 },
      next: expect.stringContaining('Rename that server'),
    });
    expect(remove(text)).toBe(text);
  });

  it('loses its list of servers only when nothing else is in it', () => {
    expect(remove(install('{"a":1}'))).toBe('{"a":1}');
    expect(remove('{"mcpServers": {"ben10": 5}}')).toBe('{"mcpServers": {"ben10": 5}}');
    expect(remove('{"mcpServers": {"ben10": {"command": "/x/ben10", "args": ["serve"]}}}')).toBe(
      '{}',
    );
    const noted = '{\n  "mcpServers": {\n    // none yet\n  }\n}\n';
    expect(remove(install(noted))).toBe(noted);
    expect(remove('{"mcpServers": []}')).toBe('{"mcpServers": []}');
  });

  it.each([
    ['[]', 'the file must be an object, but is an array'],
    ['{"mcpServers": []}', 'mcpServers must be an object, but is an array'],
    ['{"mcpServers": {"ben10": "x"}}', 'mcpServers.ben10 must be an object, but is a string'],
  ])('is refused in another shape: %s', (text, message) => {
    expect(() => install(text)).toThrow(`.mcp.json: ${message}`);
  });

  it('tells whether the server is in it', () => {
    expect(entryOf(parseJsonText('f', install('{}')))?.type).toBe('object');
    expect(entryOf(parseJsonText('f', OTHERS))).toBeUndefined();
  });
});

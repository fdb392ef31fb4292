import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSettings } from '../../src/mcp/settings.ts';
import { readHookConfig } from '../../src/platform/hook-config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { scratch } from '../support.ts';

const lines: string[] = [];
const log = createLogger('warn', (line) => lines.push(line));

beforeEach(() => {
  lines.length = 0;
  // No file of whoever runs this is read.
  vi.stubEnv('HOME', scratch());
  vi.stubEnv('XDG_CONFIG_HOME', scratch());
});
afterEach(() => void vi.unstubAllEnvs());

function project(yaml: string): string {
  const dir = scratch();
  mkdirSync(path.join(dir, '.ben10'));
  writeFileSync(path.join(dir, '.ben10/config.yaml'), yaml);
  return dir;
}

describe("the server's settings", () => {
  it('are those of the files, and are compiled for hooks', async () => {
    const dir = project('mcp:\n  logLevel: debug\n');
    const { config, warnings } = await loadSettings(dir, log);
    expect(config.mcp.logLevel).toBe('debug');
    expect(warnings).toEqual([]);
    const compiled = readHookConfig(path.join(dir, '.ben10'));
    expect(compiled).toMatchObject({ stale: false, config: { mcp: { logLevel: 'debug' } } });
    expect((await loadSettings(dir, log)).config.mcp.logLevel).toBe('debug');
  });

  it('are the defaults, and leave nothing, where there is no .ben10', async () => {
    const dir = scratch();
    const { config, warnings } = await loadSettings(dir, log);
    expect(config.mcp).toEqual({ logLevel: 'info', profile: ['core'] });
    expect(warnings).toEqual([]);
    expect(readHookConfig(path.join(dir, '.ben10'))).toBeUndefined();
  });

  it('are the defaults where the files are wrong, with a warning that says where', async () => {
    const dir = project('mcp:\n  logLevel: 7\n');
    const { config, warnings } = await loadSettings(dir, log);
    expect(config.mcp.logLevel).toBe('info');
    expect(warnings).toEqual([expect.stringMatching(/its valid parts .*config\.yaml:2\)$/)]);
    expect(lines).toEqual([`ben10 warn: ${warnings[0]}\n`]);
  });

  it('are the last sound ones where the files became wrong', async () => {
    const dir = project('redaction:\n  allow: ["abc"]\n');
    await loadSettings(dir, log);
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'redaction: [[[\n');
    const { config, warnings } = await loadSettings(dir, log);
    expect(config.redaction.allow).toEqual(['abc']);
    expect(warnings).toEqual([expect.stringContaining('the last valid values apply')]);
  });
});

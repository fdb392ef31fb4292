import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverProjectDir } from '../../src/mcp/project-dir.ts';
import { scratch } from '../support.ts';

describe("the server's project", () => {
  it('is the one that the client names, as hooks take it', () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'));
    const inner = path.join(dir, 'packages/inner');
    expect(serverProjectDir({ CLAUDE_PROJECT_DIR: inner }, '/')).toBe(inner);
  });

  it('is the nearest folder upwards that has a journal, without a client', () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'));
    const inner = path.join(dir, 'packages/inner');
    mkdirSync(inner, { recursive: true });
    expect(serverProjectDir({}, inner)).toBe(dir);
    expect(serverProjectDir({ CLAUDE_PROJECT_DIR: '' }, inner)).toBe(dir);
  });

  it('is the current folder where there is no journal yet', () => {
    const dir = scratch();
    expect(serverProjectDir({}, dir)).toBe(dir);
  });
});

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CONFIG_BYTES_MAX,
  isUnchanged,
  readConfigFile,
  readConfigOf,
  userConfigDir,
} from '../../../src/platform/config/files.ts';
import { codeOf, scratch, withoutRoot } from '../../support.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = scratch();
  file = path.join(dir, 'config.yaml');
});

describe("the user's configuration file", () => {
  it('stands under XDG_CONFIG_HOME when that is absolute, otherwise under ~/.config', () => {
    const home = path.resolve('/home/ann');
    const xdg = path.resolve('/xdg');
    const fallback = path.join(home, '.config', 'ben10');
    expect(userConfigDir({ XDG_CONFIG_HOME: xdg }, home)).toBe(path.join(xdg, 'ben10'));
    for (const env of [{}, { XDG_CONFIG_HOME: '' }, { XDG_CONFIG_HOME: 'relative' }]) {
      expect(userConfigDir(env, home)).toBe(fallback);
    }
  });
});

describe('reading a configuration file', () => {
  it('finds nothing where there is none, or where its folder is a file', () => {
    expect(readConfigFile(file)).toBeUndefined();
    fs.writeFileSync(path.join(dir, 'plain'), '');
    expect(readConfigFile(path.join(dir, 'plain', 'config.yaml'))).toBeUndefined();
  });

  it('takes 256 KiB and not a byte more', () => {
    fs.writeFileSync(file, Buffer.alloc(CONFIG_BYTES_MAX, '#'));
    expect(readConfigFile(file)?.bytes.length).toBe(CONFIG_BYTES_MAX);
    fs.appendFileSync(file, '#');
    expect(codeOf(() => readConfigFile(file))).toBe('LIMIT_EXCEEDED');
  });

  it('follows a link that stays inside, and refuses one that leaves', () => {
    const outside = scratch();
    fs.writeFileSync(path.join(dir, 'real.yaml'), 'mcp: {}');
    fs.writeFileSync(path.join(outside, 'secret'), 'mcp: {}');
    fs.symlinkSync('real.yaml', file);
    expect(readConfigFile(file, dir)?.stamp.size).toBe(7);
    fs.unlinkSync(file);
    fs.symlinkSync(path.join(outside, 'secret'), file);
    expect(codeOf(() => readConfigFile(file, dir))).toBe('CONFIG_INVALID');
    expect(readConfigFile(file)?.stamp.size).toBe(7);
    fs.rmSync(outside, { recursive: true });
    expect(codeOf(() => readConfigFile(file, dir))).toBe('CONFIG_INVALID');
    fs.unlinkSync(file);
    fs.symlinkSync('config.yaml', file);
    expect(codeOf(() => readConfigFile(file, dir))).toBe('CONFIG_INVALID');
  });

  it('refuses a folder in its place', () => {
    fs.mkdirSync(file);
    expect(codeOf(() => readConfigFile(file))).toBe('CONFIG_INVALID');
  });

  it.runIf(process.platform !== 'win32')('refuses a pipe without waiting for its writer', () => {
    execFileSync('mkfifo', [file]);
    expect(codeOf(() => readConfigFile(file))).toBe('CONFIG_INVALID');
    expect(isUnchanged(file, { mtimeMs: 0, size: 0, sha256: '' })).toBe(false);
  });

  it.runIf(process.platform !== 'win32')('says when it may not be read', () => {
    fs.writeFileSync(file, 'mcp: {}', { mode: 0o000 });
    fs.chmodSync(dir, 0o755);
    expect(withoutRoot(() => codeOf(() => readConfigFile(file)))).toBe('FS_PERMISSION_DENIED');
  });
});

describe('the configuration of a folder', () => {
  it('is in YAML or in JSON, and in no other file', () => {
    expect(readConfigOf(dir)).toBeUndefined();
    fs.writeFileSync(path.join(dir, 'config.json'), '{}');
    expect(readConfigOf(dir)?.file).toBe(path.join(dir, 'config.json'));
    fs.renameSync(path.join(dir, 'config.json'), file);
    expect(readConfigOf(dir)?.file).toBe(file);
    fs.renameSync(file, path.join(dir, 'config.yml'));
    expect(readConfigOf(dir)).toBeUndefined();
  });

  it('is refused when it is in both, and both are named', () => {
    fs.writeFileSync(file, '');
    fs.writeFileSync(path.join(dir, 'config.json'), '');
    expect(codeOf(() => readConfigOf(dir))).toBe('CONFIG_INVALID');
    expect(() => readConfigOf(dir)).toThrow(
      `${file} and ${path.join(dir, 'config.json')} both exist`,
    );
  });
});

describe('a stamp', () => {
  it('still holds when only the time changed, and no longer when the content did', () => {
    expect(isUnchanged(file, null)).toBe(true);
    fs.writeFileSync(file, 'mcp: {}');
    expect(isUnchanged(file, null)).toBe(false);
    const stamp = readConfigFile(file)!.stamp;
    expect(isUnchanged(file, stamp)).toBe(true);
    fs.utimesSync(file, 1, 1);
    expect(isUnchanged(file, stamp)).toBe(true);
    fs.writeFileSync(file, 'mcp: []');
    fs.utimesSync(file, 2, 2);
    expect(isUnchanged(file, stamp)).toBe(false);
    fs.unlinkSync(file);
    expect(isUnchanged(file, stamp)).toBe(false);
  });
});

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changeConfig } from '../../src/platform/config/write.ts';
import { applyPlan } from '../../src/setup/apply.ts';
import { planInit } from '../../src/setup/plan.ts';
import { scratch } from '../support.ts';

/** Inodes of files that were synced, and of those that were renamed before that. */
function watched() {
  const { fsyncSync, fdatasyncSync, renameSync } = fs;
  const synced = new Set<number>();
  const tooEarly: string[] = [];
  const renamed: string[] = [];
  fs.fsyncSync = (fd) => {
    fsyncSync(fd);
    synced.add(fs.fstatSync(fd).ino);
  };
  fs.fdatasyncSync = (fd) => {
    fdatasyncSync(fd);
    synced.add(fs.fstatSync(fd).ino);
  };
  fs.renameSync = (from, to) => {
    const name = path.basename(String(to));
    renamed.push(name);
    if (!synced.has(fs.statSync(from).ino)) tooEarly.push(name);
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { fsyncSync, fdatasyncSync, renameSync });
    syncBuiltinESMExports();
  });
  return { tooEarly, renamed };
}

describe('a settings file of the client', () => {
  it('is on the disk before it takes the name of the one before', () => {
    const projectDir = scratch();
    const plan = planInit({
      projectDir,
      carrier: 'command',
      shared: false,
      binary: { command: 'ben10' },
    });
    const { tooEarly, renamed } = watched();
    applyPlan(plan);
    expect(renamed).toContain('settings.local.json');
    expect(tooEarly).toEqual([]);
  });
});

describe('a settings file of ben10', () => {
  it('is on the disk before it takes the name of the one before', () => {
    const folder = path.join(scratch(), '.ben10');
    const { tooEarly, renamed } = watched();
    changeConfig(folder, () => 'recall:\n  maxChars: 700\n');
    expect(renamed).toEqual(['config.yaml']);
    expect(tooEarly).toEqual([]);
  });
});

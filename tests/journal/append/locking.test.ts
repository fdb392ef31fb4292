import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { ADDONS, realPorts, scratch } from '../../support.ts';
import { handClock, portsWith, systemError } from '../support.ts';

const newFile = () => path.join(scratch(), 'lock');

function lockOn(file: string, ports = realPorts): LockFile {
  const lock = new LockFile(ports, file);
  onTestFinished(() => lock.close());
  return lock;
}

/** Another process that takes the lock, says so, and then does nothing more. */
async function holder(file: string): Promise<ChildProcess> {
  const addon = `${ADDONS}/${process.platform}-${process.arch}/fs-native-extensions.node`;
  const script = `
    const m = { exports: {} };
    process.dlopen(m, ${JSON.stringify(addon)});
    const fd = require('fs').openSync(${JSON.stringify(file)}, 'a+');
    m.exports.tryLock(fd, 0, 0, true);
    process.stdout.write('held');
    setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

describe('the lock', () => {
  it('runs the work and gives back what it returns', () => {
    expect(lockOn(newFile()).hold(0, () => 42)).toEqual({ value: 42 });
    expect(lockOn(newFile()).hold(0, () => undefined)).toEqual({ value: undefined });
  });

  it('keeps a second one out, also of the same process, until the work is done', () => {
    const file = newFile();
    const [one, two] = [lockOn(file), lockOn(file)];
    expect(one.hold(0, () => two.hold(0, () => 'never'))).toEqual({ value: undefined });
    expect(two.hold(0, () => 'now')).toEqual({ value: 'now' });
  });

  it('is given back when the work throws', () => {
    const file = newFile();
    const [one, two] = [lockOn(file), lockOn(file)];
    const work = () => {
      throw new Error('in the work');
    };
    expect(() => one.hold(0, work)).toThrow('in the work');
    expect(two.hold(0, () => 'free')).toEqual({ value: 'free' });
  });

  it('keeps other processes out, and is free as soon as its holder is killed', async () => {
    const file = newFile();
    const child = await holder(file);
    const lock = lockOn(file);
    const start = Date.now();
    expect(lock.hold(60, () => 'never')).toBeUndefined();
    expect(Date.now() - start).toBeGreaterThanOrEqual(60);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lock.hold(0, () => 'free')).toEqual({ value: 'free' });
  });

  it('waits no longer than its budget, and once only when that is zero', async () => {
    const file = newFile();
    await holder(file);
    const clock = handClock(0);
    let tries = 0;
    const lock = {
      tryLock: (fd: number) => {
        tries += 1;
        return realPorts.lock!.tryLock(fd);
      },
      unlock: realPorts.lock!.unlock,
    };
    const ports = portsWith({}, { clock, lock });
    expect(lockOn(file, ports).hold(0, () => 'never')).toBeUndefined();
    expect([tries, clock.time]).toEqual([1, 0]);
    expect(lockOn(file, ports).hold(50, () => 'never')).toBeUndefined();
    expect(clock.time).toBeGreaterThanOrEqual(50);
    expect(clock.time).toBeLessThanOrEqual(50 + 12);
    expect(tries).toBeGreaterThan(5);
  });

  it('waits no longer than its budget when the clock is set back meanwhile', async () => {
    const file = newFile();
    await holder(file);
    let slept = 0;
    const clock = {
      now: () => -1000 * slept,
      sleep: (milliseconds: number) => {
        slept += milliseconds;
      },
    };
    expect(lockOn(file, portsWith({}, { clock })).hold(50, () => 'never')).toBeUndefined();
    expect(slept).toBeGreaterThanOrEqual(50);
    expect(slept).toBeLessThanOrEqual(50 + 12);
  });

  it('cannot be had where the system has none, or refuses', () => {
    const none = portsWith({}, { lock: undefined });
    expect(lockOn(newFile(), none).hold(10, () => 'never')).toBeUndefined();
    const refusing = portsWith(
      {},
      {
        lock: {
          tryLock: () => {
            throw systemError('ENOLCK');
          },
          unlock: () => undefined,
        },
      },
    );
    expect(lockOn(newFile(), refusing).hold(10, () => 'never')).toBeUndefined();
  });

  it('does not hide a mistake in the program', () => {
    const broken = portsWith(
      {},
      {
        lock: {
          tryLock: () => {
            throw new TypeError('a bug');
          },
          unlock: () => undefined,
        },
      },
    );
    expect(() => lockOn(newFile(), broken).hold(10, () => 1)).toThrow(TypeError);
  });

  it('is taken on the new file when somebody removed the old one', () => {
    const file = newFile();
    const [one, two] = [lockOn(file), lockOn(file)];
    rmSync(file);
    expect(one.hold(0, () => two.hold(0, () => 'never'))).toEqual({ value: undefined });
    const three = lockOn(file);
    expect(one.hold(0, () => three.hold(0, () => 'never'))).toEqual({ value: undefined });
  });

  it('fails with what the system says when its folder is gone, and works again when it is back', () => {
    const dir = path.join(scratch(), 'journal');
    mkdirSync(dir);
    const lock = lockOn(path.join(dir, 'lock'));
    rmSync(dir, { recursive: true });
    expect(() => lock.hold(0, () => 1)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    mkdirSync(dir);
    expect(lock.hold(0, () => 1)).toEqual({ value: 1 });
  });

  it('is closed once, however often that is asked for, and not held after that', () => {
    const file = newFile();
    const lock = lockOn(file);
    lock.close();
    // Has the number that the lock file had.
    const other = openSync(`${file}.other`, 'w');
    lock.close();
    expect(fstatSync(other).isFile()).toBe(true);
    expect(lock.hold(0, () => 'never')).toBeUndefined();
    closeSync(other);
  });

  it('is not taken through a link', () => {
    const dir = scratch();
    writeFileSync(`${dir}/victim`, '');
    symlinkSync(`${dir}/victim`, `${dir}/lock`);
    expect(() => new LockFile(realPorts, `${dir}/lock`)).toThrow(/ELOOP/);
  });
});

import type { NewEvent } from '../../src/journal/append/inbox.ts';
import type { FileSystem } from '../../src/platform/fs.ts';
import { type Erasure, newAccount } from './account.ts';
import type { Answer, Asked } from './actor.ts';
import { fileSystemOf, Killed, lockOf, SimDisk } from './disk.ts';
import { canaryOf } from './events.ts';
import { freshImage, START } from './workload.ts';

/** A machine whose processes are threads: does what they ask for, and keeps account of what they try. */
export class SharedMachine {
  readonly disk = new SimDisk(freshImage(), START);
  readonly account = newAccount();
  /** What a process threw, as sentences. */
  readonly complaints: string[] = [];
  /** Of each process: when its append began, how many events it tried, what it erases. */
  readonly #since = new Map<number, number>();
  readonly #tried = new Map<number, number>();
  readonly #erases = new Map<number, Erasure>();

  /** @param number of the process that asks */
  answer(number: number, { call, args }: Asked): Answer {
    try {
      return { value: this.#do(number, call, args) };
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      const { message, code } = error as Error & { code?: string };
      return { failed: { message, code } };
    }
  }

  #do(number: number, call: string, args: unknown[]): unknown {
    const { disk } = this;
    if (call === 'threw') return void this.complaints.push(`threw ${args[0]}`);
    if (call === 'attempts') return this.#attempts(number, args[0] as NewEvent[]);
    if (call === 'acknowledged')
      return this.#acknowledged(number, args[0] as NewEvent[], args[1] as boolean);
    if (call === 'erases') {
      const erasure: Erasure = { ids: [args[0] as string], asked: disk.log.length };
      this.#erases.set(number, erasure);
      return void this.account.erasures.push(erasure);
    }
    if (call === 'erased') {
      this.#erases.get(number)!.done = disk.log.length;
      return undefined;
    }
    if (call === 'sleep') {
      disk.now += args[0] as number;
      return undefined;
    }
    const [fd] = args as [number];
    if (call === 'tryLock') return lockOf(disk, number).tryLock(fd);
    if (call === 'unlock') return lockOf(disk, number).unlock(fd);
    const fs = fileSystemOf(disk, number);
    if (call === 'read') {
      const bytes = Buffer.alloc(args[1] as number);
      return bytes.subarray(0, fs.read(fd, bytes, args[2] as number));
    }
    if (call === 'write') return fs.write(fd, args[1] as Uint8Array, args[2] as number);
    return (fs[call as keyof FileSystem] as (...given: unknown[]) => unknown)(...args);
  }

  #attempts(process: number, events: readonly NewEvent[]): void {
    this.#since.set(process, this.disk.now);
    for (const { id, payload, durability } of events) {
      const number = this.#tried.get(process) ?? 0;
      this.#tried.set(process, number + 1);
      // Buffers come out of another thread as plain bytes.
      const [hex, body] = [Buffer.from(id).toString('hex'), Buffer.from(payload)];
      const attempt = { process, number, durability, payload: body, ...canaryOf(body) };
      this.account.attempted.set(hex, attempt);
    }
  }

  #acknowledged(process: number, events: readonly NewEvent[], spooled: boolean): void {
    const { now: time, log } = this.disk;
    const since = this.#since.get(process)!;
    for (const { id, durability } of events)
      this.account.acknowledged.push({
        id: Buffer.from(id).toString('hex'),
        durability,
        since,
        time,
        at: log.length,
        spooled,
      });
  }
}

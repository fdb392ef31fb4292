import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { homeOf } from '../../src/journal/read/origins.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { crashStates } from '../sim/crash-states.ts';
import { SimDisk } from '../sim/disk.ts';
import { copyOf, emptyImage, filesIn, type Image, ROOT } from '../sim/image.ts';
import { decoders, SIM_ROOT, startProcess } from '../sim/process.ts';

export const NOW = 1_795_250_000_000;
const FIRST = 1;
const SECOND = 2;

/** What a simulated disk has on it, all of it durable, when some work is done that cannot fail. */
export function diskAfter(work: (ports: JournalPorts, disk: SimDisk) => void): Image {
  const disk = new SimDisk(emptyImage(), NOW);
  const { ports } = startProcess(disk, FIRST, 1);
  ports.fs.mkdir('/project');
  work(ports, disk);
  return copyOf(disk.live);
}

/** A machine with that disk, started anew. */
export function started(image: Image) {
  const disk = new SimDisk(copyOf(image), NOW + 60_000);
  return { disk, ports: portsOf(disk, FIRST), others: portsOf(disk, SECOND) };
}

/** Whoever sleeps wakes late: who waits for a lock in vain then tries it a few times and not a thousand. */
function portsOf(disk: SimDisk, number: number): JournalPorts {
  const { ports } = startProcess(disk, number, number + 1);
  const sleep = (milliseconds: number) => ports.clock.sleep(milliseconds + 500);
  return { ...ports, clock: { ...ports.clock, sleep } };
}
export type Machine = ReturnType<typeof started>;

/** Appends each batch of events to a segment of its own, which is closed before the next batch. */
export function append(ports: JournalPorts, ...segments: (readonly NewEvent[])[]): void {
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: 50 });
  for (const [index, events] of segments.entries()) {
    if (index > 0) writer.rotate(0);
    writer.append(events);
  }
  writer.close();
}

/** Erases events of the own origin, and files. */
export function erase(
  ports: JournalPorts,
  codecs: Codecs,
  seqs: readonly number[],
  files: readonly string[] = [],
): void {
  const { origin } = homeOf(ports, layoutOf(SIM_ROOT))!;
  const events = seqs.map((seq) => ({ origin, seq }));
  eraseEvents(ports, SIM_ROOT, codecs, () => ({ by: 'event', events, blobs: [], files }));
}

/** False when somebody else holds a lock that the work needs. */
export function tried(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Ben10Error && error.code === 'CONTEXT_LOCKED') return false;
    throw error;
  }
}

/**
 * One process works; before one of its calls another one comes in, and does its own work from start to end. This for every
 * call there is.
 * @param after is asked what is left, with whatever `second` returned
 * @returns how many calls there were
 */
export function everyMeeting<T>(
  image: Image,
  first: (machine: Machine) => void,
  second: (machine: Machine) => T,
  after: (machine: Machine, done: T, where: string) => void,
): number {
  for (let call = 0; ; call += 1) {
    const machine = started(image);
    const { disk } = machine;
    let calls = 0;
    let met: { done: T } | undefined;
    disk.splitsWrites = true;
    disk.beforeCall = (process) => {
      if (process !== FIRST || calls++ < call) return;
      disk.beforeCall = undefined;
      met = { done: second(machine) };
    };
    first(machine);
    disk.beforeCall = undefined;
    if (met === undefined) return call;
    after(machine, met.done, `at call ${call}`);
  }
}

/** What the loss of power can leave once everything that was asked for has come back. */
export function afterPowerLoss({ disk }: Machine, cap: number): { image: Image; where: string }[] {
  const { states } = crashStates(disk.base, disk.log, disk.log.length, 'paranoid', cap);
  return states.map(({ image, choice }) => ({ image, where: `[${choice}]` }));
}

export const entriesOf = (ports: JournalPorts) =>
  [...new JournalReader(ports, SIM_ROOT, decoders).entries()].flatMap(({ entry }) => entry ?? []);

/** Ids of all events that readers give, those that wait in the inbox as well; hex. */
export function idsIn(ports: JournalPorts): Set<string> {
  const waiting = [...new JournalReader(ports, SIM_ROOT, decoders).inbox()];
  return new Set([...entriesOf(ports), ...waiting].map(({ id }) => id.toString('hex')));
}

/** Where a text can be read: files that have it as it is, and events. */
export function findings(ports: JournalPorts, files: [string, Buffer][], text: string): string[] {
  const raw = files.filter(([, bytes]) => bytes.includes(text)).map(([path]) => path);
  const read = entriesOf(ports).filter(({ payload }) => payload.includes(text));
  return [...raw, ...read.map(({ seq }) => `@${seq}`)];
}

/** What a container has of a folder of its host: another number, so that it takes the journal for a copy. */
export function seenElsewhere(ports: JournalPorts): JournalPorts {
  const { journal } = layoutOf(SIM_ROOT);
  const stat = (name: string) => {
    const found = ports.fs.stat(name);
    return name === journal ? { ...found, ino: found.ino + 1_000_000 } : found;
  };
  return { ...ports, fs: { ...ports.fs, stat } };
}

/** Changes the bytes of the file whose path ends so. */
export function change(image: Image, ending: string, edit: (bytes: Buffer) => void): Image {
  const path = filesIn(image).find(([name]) => name.endsWith(ending))![0];
  let at = ROOT;
  for (const name of path.split('/').slice(1)) at = image.folders.get(at)!.get(name)!;
  const bytes = Buffer.from(image.files.get(at)!);
  edit(bytes);
  image.files.set(at, bytes);
  return image;
}

export function flipAt(bytes: Buffer, at: number): void {
  bytes[at] = bytes[at]! ^ 1;
}

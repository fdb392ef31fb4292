import type { NewEvent } from '../../src/journal/append/inbox.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import type { Saved } from '../../src/timetravel/saves.ts';
import type { Chance } from '../damage/chance.ts';
import type { Makers } from '../damage/corpus.ts';
import type { MemoryFs } from '../damage/memory-fs.ts';

/** What a workload works with; what it was promised is noted in `acknowledged`. */
export interface Work {
  ports: JournalPorts;
  chance: Chance;
  makers: Makers;
  acknowledged: NewEvent[];
  /** Of the journal that was prepared, where a workload has to name it. */
  origin?: string;
  /** The states that were there before, as text. */
  before?: string;
  /** A save that was promised. */
  saved?: Saved;
}

export interface Workload {
  name: string;
  /** What is there before: made without faults. */
  prepare: (work: Work, fs: MemoryFs) => void;
  run: (work: Work) => void;
  /** What was promised can be read only behind a repair that nothing fails in. */
  isRepairedAfter?: boolean;
  /** What must hold besides, when the fault is gone: violations. */
  after?: (work: Work, ports: JournalPorts) => Iterable<string>;
}

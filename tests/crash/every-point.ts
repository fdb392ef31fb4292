import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JournalPorts } from '../../src/journal/ports.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import { ADDONS } from '../ports.ts';
import { Crew } from './crew.ts';
import type { KillPoint } from './kill-points.ts';
import { Survivors } from './survivors.ts';

interface Programs {
  /** `doomed-process`, bundled. */
  doomed: string;
  /** `writer-process`, bundled. */
  writer: string;
}

/** Every point that the doomed process comes by, the first and the last time, before, half-way (of writes) and after. */
export async function killPoints({ doomed }: Programs, root: string): Promise<KillPoint[]> {
  const child = spawn(process.execPath, [doomed, root, ADDONS, 'scout'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += String(data);
  });
  const [code] = await once(child, 'close');
  const found = [...said.matchAll(/^point (\d+) (.*)$/gm)];
  if (code !== 0 || found.length === 0) throw new Error(`the doomed process ended with ${code}`);
  return found.flatMap(([, times, name = '']) =>
    [...new Set([1, Number(times)])].flatMap((nth) => {
      const moments = ['before', ...(name.startsWith('write') ? ['halfway'] : []), 'after'];
      return moments.map((when) => ({ name, nth, when }) as KillPoint);
    }),
  );
}

export interface PointRun {
  /** How the doomed process ended: it has to be killed there, unless others did that work before it. */
  killed: boolean;
  violations: string[];
}

/**
 * Kills the doomed process at a point, with `others` writers beside it, and looks at what is left.
 * @param root an empty `.ben10`
 */
export async function killAt(
  point: KillPoint,
  others: number,
  { doomed, writer }: Programs,
  look: { root: string; ports: JournalPorts; decoders: Decoders },
): Promise<PointRun> {
  const crew = new Crew(writer, look.root, 'modest');
  const survivors = new Survivors(look.root, look.ports, look.decoders);
  try {
    for (let slot = 1; slot <= others; slot += 1) crew.start(slot);
    const signal = await crew.run(0, [doomed, look.root, ADDONS, 'doomed', JSON.stringify(point)]);
    const missing = survivors.missing(crew.account).map((key) => `${key} is lost`);
    await crew.killAll();
    const violations = [...missing, ...survivors.reckon(crew.account)];
    return { killed: signal === 'SIGKILL', violations };
  } finally {
    crew.abandon();
  }
}

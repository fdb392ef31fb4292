import { showBusy } from './busy.ts';
import { isTerminal } from './terminal.ts';

interface ProgressBar {
  advance(this: void, done: number, all: number): void;
  end(): void;
}

const SILENT: ProgressBar = { advance: () => undefined, end: () => undefined };

/** For shorter work a bar would only flash. */
const SHOWN_AFTER_MS = 300;

/** A bar on stderr, if that is a terminal. @param label such as `importing` */
export async function progressBar(
  label: string,
  stderr: NodeJS.WritableStream,
  now: () => number,
): Promise<ProgressBar> {
  if (!isTerminal(stderr as never)) return SILENT;
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: `${label} {bar} {percentage} %`,
    stream: stderr,
    hideCursor: true,
    clearOnComplete: true,
    // The work is synchronous: no timer fires during it.
    synchronousUpdate: true,
    barCompleteChar: '█',
    barIncompleteChar: '░',
  });
  const started = now();
  let state: 'hidden' | 'shown' | 'ended' = 'hidden';
  const end = () => {
    if (state === 'shown') {
      bar.stop();
      if (stderr === process.stderr) showBusy(`${label}: the last steps`);
    }
    state = 'ended';
  };
  return {
    advance(done, all) {
      if (state === 'ended' || (state === 'hidden' && now() - started < SHOWN_AFTER_MS)) return;
      if (state === 'hidden') bar.start(all, done);
      else {
        bar.setTotal(all);
        bar.update(done);
      }
      state = 'shown';
      // What follows is not counted.
      if (done >= all) end();
    },
    end,
  };
}

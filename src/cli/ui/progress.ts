import { isTerminal } from './terminal.ts';

/** Hears how much is done of how much; must be called from one place after another. */
export type Progress = (done: number, all: number) => void;

export interface ProgressBar {
  advance: Progress;
  end(): void;
}

const SILENT: ProgressBar = { advance: () => undefined, end: () => undefined };

/** Work this short needs no bar: it would only flash. */
const SHOWN_AFTER_MS = 300;

/**
 * A bar on stderr while work goes on, gone when it ends. Nothing where stderr is no terminal.
 * @param label what is being done: `importing`
 */
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
    // Our work is synchronous: no timer would ever fire in the middle of it.
    synchronousUpdate: true,
    barCompleteChar: '█',
    barIncompleteChar: '░',
  });
  const started = now();
  let shown = false;
  return {
    advance(done, all) {
      if (!shown && now() - started < SHOWN_AFTER_MS) return;
      if (!shown) bar.start(all, done);
      else {
        bar.setTotal(all);
        bar.update(done);
      }
      shown = true;
    },
    end: () => (shown ? bar.stop() : undefined),
  };
}

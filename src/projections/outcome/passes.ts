import { runsIn } from './command.ts';
import { covers, joined, type Run } from './run.ts';

/** Equal for shell commands that run the same things, however they are started, told or cut. */
export function runKey(command: string): string {
  const runs = runsIn(command).map(
    ({ folder, words }) => `${words.join(' ')}${folder === '' ? '' : ` in ${folder}`}`,
  );
  return runs.length === 0 ? command : [...new Set(runs)].join(' && ');
}

/** Which runs have passed, and when. */
export class Passes {
  readonly #passed = new Map<string, { run: Run; seq: number }[]>();

  /** @param directory where the client was; null where that is not known */
  add(command: string, seq: number, directory: string | null): void {
    for (const run of runsOf(command, directory)) {
      const name = run.words[0]!;
      const known = this.#passed.get(name);
      if (known === undefined) this.#passed.set(name, [{ run, seq }]);
      else known.push({ run, seq });
    }
  }

  /** Whether all that a command runs has passed after `seq`. */
  hasSince(command: string, seq: number, directory: string | null): boolean {
    return runsOf(command, directory).every((own) =>
      this.#passed.get(own.words[0]!)?.some((one) => one.seq > seq && covers(one.run, own)),
    );
  }
}

/** A command that only looks is its own run. */
function runsOf(command: string, directory: string | null): Run[] {
  const runs = runsIn(command);
  if (runs.length === 0) return [{ folder: '', words: [command] }];
  return runs.map(({ folder, words }) => ({ words, folder: inside(folder, directory) }));
}

function inside(folder: string, directory: string | null): string {
  if (directory === null || !folder.startsWith('/')) return folder;
  const place = joined('', directory);
  if (folder === place) return '';
  return folder.startsWith(`${place}/`) ? folder.slice(place.length + 1) : folder;
}

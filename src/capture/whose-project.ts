import { realpathSync } from 'node:fs';
import path from 'node:path';
import { projectAbove } from '../platform/project-above.ts';
import { nativeFolder } from '../platform/project-folder.ts';
import type { FoundTranscript } from './transcripts.ts';

/** To which project a folder belongs in which a session started. */
export class Projects {
  readonly #known = new Map<string, string | undefined>();

  /** The folder of the project, with links resolved; undefined if ben10 is in none above it. */
  of(cwd: string): string | undefined {
    if (!this.#known.has(cwd)) this.#known.set(cwd, this.#find(cwd));
    return this.#known.get(cwd);
  }

  #find(cwd: string): string | undefined {
    if (!path.isAbsolute(cwd)) return undefined;
    const found = projectAbove(realOf(nativeFolder(cwd)));
    return found && realOf(found);
  }
}

/** With links resolved as far as the path exists. */
export function realOf(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    const above = path.dirname(dir);
    return above === dir ? dir : path.join(realOf(above), path.basename(dir));
  }
}

/** Which transcripts belong to a project. A session belongs where it started. */
export class Belonging {
  readonly #projects: Projects;
  readonly #dir: string;
  readonly #isKnown: (session: string) => boolean;
  readonly #starts = new Map<string, string | null>();

  /**
   * @param isKnown whether the project's journal has the session: its folder may have been moved since
   * @param all the transcripts in question
   */
  constructor(dir: string, isKnown: (session: string) => boolean, all: readonly FoundTranscript[]) {
    this.#projects = new Projects();
    this.#dir = realOf(dir);
    this.#isKnown = isKnown;
    // A sub-agent may work in another folder than its session.
    for (const { agent, session, cwd } of all)
      if (agent === null && !this.#starts.has(session)) this.#starts.set(session, cwd);
  }

  isOurs(source: FoundTranscript): boolean {
    const project = this.projectOf(source);
    return project === undefined ? this.#isKnown(source.session) : project === this.#dir;
  }

  /** Undefined if ben10 is not set up there. */
  projectOf(source: FoundTranscript): string | undefined {
    const start = this.startOf(source);
    return start === null ? undefined : this.#projects.of(start);
  }

  startOf({ session, cwd }: FoundTranscript): string | null {
    return this.#starts.get(session) ?? cwd;
  }
}

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openProject, type Project } from '../../src/project/open.ts';
import { KeptFolder } from '../kept-folder.ts';
import { realPorts } from '../ports.ts';
import { KilledProgram } from './killed-program.ts';

/** A project of its own for a program that is killed, to be put back as it was. */
export class Stage {
  readonly dir: string;
  readonly root: string;
  readonly program: KilledProgram;
  #kept: KeptFolder | undefined;

  /** @param top holds the program, for all stages */
  constructor(top: string, name: string) {
    this.dir = path.join(top, name);
    this.root = path.join(this.dir, '.ben10');
    mkdirSync(this.dir);
    this.program = new KilledProgram(top, this.dir);
  }

  /** From now on `putBack` brings it to what it is now. */
  remember(): void {
    this.#kept = new KeptFolder(this.root);
  }

  putBack(): void {
    this.#kept!.putBack();
  }

  /** Opens the project as it is now, and closes it. */
  ask<T>(work: (project: Project) => T): T {
    const project = openProject(this.dir, { lockBudgetMs: 5000, lock: realPorts.lock! });
    try {
      return work(project);
    } finally {
      project.close();
    }
  }

  /** What a project says that nobody has touched yet. */
  look<T>(at: (project: Project) => T): T {
    this.putBack();
    return this.ask(at);
  }
}

import { createInterface } from 'node:readline/promises';
import type { ProjectType } from '../../platform/project-type.ts';
import type { Ben10Context } from '../context.ts';
import { isTerminal } from './terminal.ts';

/** What was answered, by setting; what was left at its default is not there. */
export type Answers = Readonly<Record<string, string>>;

/** Whether somebody is there to be asked. */
export const canAsk = ({ stdin, stdout }: Ben10Context): boolean =>
  (stdin as { isTTY?: boolean }).isTTY === true && isTerminal(stdout);

/** Asks what no file tells of a project. Ctrl-C and Ctrl-D answer nothing more. */
export async function askAboutProject(
  { stdin, stdout }: Ben10Context,
  detected: ProjectType | undefined,
): Promise<Answers> {
  const lines = createInterface({ input: stdin, output: stdout, terminal: true });
  // What is typed ahead of its question is kept for it.
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    stdout.write(question);
    const { value } = await typed.next();
    return typeof value === 'string' ? value.trim() : '';
  };
  const standard = detected === undefined ? 'none' : detected.type;
  const type = await ask(`Project type, such as aosp, yocto, ros, node [${standard}]: `);
  const hint = await ask('What should an agent know first, in one line [nothing]: ');
  lines.close();
  return {
    ...(type !== '' && type !== detected?.type && { 'workspace.project.type': type }),
    ...(hint !== '' && { 'workspace.hints.default': hint }),
  };
}

import { createInterface } from 'node:readline/promises';
import type { ProjectType } from '../../platform/project-type.ts';
import type { Ben10Context } from '../context.ts';
import { isTerminal } from './terminal.ts';

export const canAsk = ({ stdin, stdout }: Ben10Context): boolean =>
  (stdin as { isTTY?: boolean }).isTTY === true && isTerminal(stdout);

/** Asks for settings that no file shows. Returns answers that differ from the default; Ctrl-C and Ctrl-D end the questions. */
export async function askAboutProject(
  { stdin, stdout }: Ben10Context,
  detected: ProjectType | undefined,
): Promise<Record<string, string>> {
  const lines = createInterface({ input: stdin, output: stdout, terminal: true });
  // Keeps lines that are typed before their question.
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    stdout.write(question);
    const { value } = await typed.next();
    return typeof value === 'string' ? value.trim() : '';
  };
  const standard = detected === undefined ? 'none' : detected.type;
  const type = await ask(`Project type, such as aosp, yocto, ros, node [${standard}]: `);
  const hint = await ask('A hint for agents, in one line [none]: ');
  lines.close();
  return {
    ...(type !== '' && type !== detected?.type && { 'workspace.project.type': type }),
    ...(hint !== '' && { 'workspace.hints.default': hint }),
  };
}

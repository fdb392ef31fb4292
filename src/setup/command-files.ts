import * as fs from 'node:fs';
import * as path from 'node:path';
import { type PlannedEdit, planFile, planText } from './plan-edit.ts';
import { readProjectFile } from './project-file.ts';

export const COMMANDS_FOLDER = '.claude/commands';
const WHY = 'is a slash command';

interface SlashCommand {
  description: string;
  hint: string;
  body: string;
}

const run = (line: string): string => `!\`ben10 ${line}\``;

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  checkpoint: {
    description: 'Take a checkpoint: work in progress and a handoff document',
    hint: '[--status | --estimate TASK]',
    body: `Run \`ben10 checkpoint $ARGUMENTS\`; without arguments \`ben10 checkpoint --handoff\`; for \`--estimate TASK\` run \`ben10 estimate TASK\`. Show what it prints.`,
  },
  handoff: {
    description: 'Write a handoff for the next session, and stop',
    hint: '[what comes next]',
    body: `Write down the next steps, and what was tried and rejected, with the reason; from this conversation, and from: $ARGUMENTS

Then run \`ben10 handoff create\` with a \`--next\` for each step and a \`--rejected\` for each rejected approach. Show the path that it prints, and stop: do no more work in this session.`,
  },
  orient: {
    description: 'Go on from the newest handoff, which is verified first',
    hint: '[handoff]',
    body: `${run('orient $ARGUMENTS')}

What is marked as changed, gone or false is not so any more. Sum up where the work stands, name the next step, and go on with it.`,
  },
  shard: {
    description: 'Cut a task into parts that fit into a session',
    hint: 'FILE',
    body: `${run('shard $ARGUMENTS')}

Show the parts with their sizes, and ask which to begin with.`,
  },
  // A loop starts clients that work in this tree, for hours, with the user's permissions: that is theirs to do, outside of a session.
  ralph: {
    description: 'A loop: one task in session after session, unattended',
    hint: 'status | context | checkpoint | ledger | stop | start FILE | resume',
    body: `For \`status\`, \`context\`, \`checkpoint\`, \`ledger\`, \`list\` and \`stop\`: run \`ben10 loop $ARGUMENTS\`, without arguments \`ben10 loop status\`. Show what it prints.

For \`start\` and \`resume\`: run nothing. Show the user the line for a terminal of their own, once this session has ended: \`ben10 loop run\` or \`ben10 loop resume\`, with what they gave behind it. \`ben10 loop run --help\` has the limits: name --max, --until, --check and a budget if they gave none.`,
  },
};

const textOf = ({ description, hint, body }: SlashCommand): string =>
  [
    '---',
    `description: ${description}`,
    `argument-hint: ${JSON.stringify(hint)}`,
    'allowed-tools: Bash(ben10:*)',
    '---',
    '',
    body,
    '',
  ].join('\n');

/** A name that is taken gives way to the second one. */
const namesOf = (name: string): string[] =>
  [name, `ben10-${name}`].map((one) => `${COMMANDS_FOLDER}/${one}.md`);

export const COMMAND_FILES = Object.keys(COMMANDS).flatMap(namesOf);

/**
 * Slash commands where no file of the name is there, nor among the user's own.
 * @param clientDir of the client's settings
 */
export function planCommands(
  projectDir: string,
  clientDir: string | undefined,
  notes: string[],
): PlannedEdit[] {
  return Object.entries(COMMANDS).flatMap(([name, command]) => {
    const text = textOf(command);
    const isFree = (file: string) => {
      const there = readProjectFile(projectDir, file).text;
      return there === text || (there === undefined && !isUsers(clientDir, file));
    };
    const file = namesOf(name).find(isFree);
    const called = file && path.posix.basename(file, '.md');
    if (called !== name)
      notes.push(
        called === undefined
          ? `There are commands /${name} and /ben10-${name} already: ben10's was not added.`
          : `There is a command /${name} already: ben10's is /${called}.`,
      );
    return file === undefined ? [] : planFile(projectDir, file, `${WHY}: /${called}`, () => text);
  });
}

const isUsers = (clientDir: string | undefined, file: string): boolean =>
  clientDir !== undefined && fs.existsSync(path.join(clientDir, 'commands', path.basename(file)));

/** Removes what is as `init` wrote it. */
export const planCommandRemovals = (projectDir: string): PlannedEdit[] =>
  Object.entries(COMMANDS).flatMap(([name, command]) =>
    namesOf(name).flatMap((file) => {
      const edit = planText(projectDir, file, `it was ben10's`, (text) =>
        text === textOf(command) ? undefined : text,
      );
      return edit === undefined || edit.action === 'keep' ? [] : [edit];
    }),
  );

/** How text begins that stands in the user's place and was typed by no user. */
const MACHINE_TEXT =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-(?:caveat|stdout|stderr)|bash-(?:input|stdout|stderr)|system-reminder|task-notification|user-memory-input)\b|\[Request interrupted by user)/;

export const isMachineText = (text: string): boolean => MACHINE_TEXT.test(text);

/**
 * A command of the project's is a prompt: the user typed it, and the model works on what it stands for. In transcripts
 * its message comes before its name; with a command of the client's own, which the model does not get, it is the other
 * way round.
 */
const PROMPT_COMMAND =
  /^\s*<command-message>[^<]*<\/command-message>\s*<command-name>([^<]{1,200})<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]*)<\/command-args>\s*$/;

/** What the user typed to start a command of the project's; undefined when the text is something else. */
export function promptCommand(text: string): string | undefined {
  const command = PROMPT_COMMAND.exec(text)?.[1];
  if (command === undefined) return undefined;
  const typed = command.startsWith('/') ? command : `/${command}`;
  return `${typed} ${ARGUMENTS.exec(text)?.[1] ?? ''}`.trim();
}

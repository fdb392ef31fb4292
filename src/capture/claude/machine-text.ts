/** How text begins that no user typed, though it stands in the user's place. */
const MACHINE_TEXT =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-(?:caveat|stdout|stderr)|bash-(?:input|stdout|stderr)|system-reminder|task-notification|teammate-message|user-memory-input|ide_\w+|[a-z-]+-hook)\b|\[Request interrupted by user)/;

export const isMachineText = (text: string): boolean => MACHINE_TEXT.test(text);

/**
 * A project's command is a prompt: the user typed it, and the model works on it. In transcripts its message comes
 * before its name; with the client's own commands, which the model never gets, it is the reverse.
 */
const PROMPT_COMMAND =
  /^\s*<command-message>[^<]*<\/command-message>\s*<command-name>([^<]{1,200})<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]*)<\/command-args>\s*$/;

/** What the user typed to start a project's command; undefined for other text. */
export function promptCommand(text: string): string | undefined {
  const command = PROMPT_COMMAND.exec(text)?.[1];
  if (command === undefined) return undefined;
  const typed = command.startsWith('/') ? command : `/${command}`;
  return `${typed} ${ARGUMENTS.exec(text)?.[1] ?? ''}`.trim();
}

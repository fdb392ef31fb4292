/** How text begins that stands in the user's place and was typed by no user. */
const MACHINE_TEXT =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-(?:caveat|stdout|stderr)|bash-(?:input|stdout|stderr)|system-reminder|task-notification|user-memory-input)\b|\[Request interrupted by user)/;

export const isMachineText = (text: string): boolean => MACHINE_TEXT.test(text);

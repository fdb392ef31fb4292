/** Hook events of Claude Code 2.1.329. Others are recorded as well: every release adds some. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
] as const;

const plain = (name: string): string => name.replace(/[-_ ]/g, '').toLowerCase();

/** `session-start`, `SessionStart` and `SESSION_START` are equal; unknown names stay. */
export function hookEventName(given: string): string {
  const isKnown = (HOOK_EVENTS as readonly string[]).includes(given);
  return isKnown ? given : (HOOK_EVENTS.find((name) => plain(name) === plain(given)) ?? given);
}

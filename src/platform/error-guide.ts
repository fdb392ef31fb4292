import type { ErrorCode } from './errors.ts';

interface Guide {
  means: string;
  /** What to do, the most likely first. */
  next: readonly string[];
}

/** Kept apart from `errors.ts`, which every hook loads. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, Guide>> = {
  FS_NOT_FOUND: {
    means: 'A file or folder does not exist.',
    next: ['Check the path in the message for a typing error or a wrong folder.'],
  },
  FS_PERMISSION_DENIED: {
    means: 'The operating system does not let ben10 read or write a file.',
    next: [
      'If you own it, restore your permissions: chmod -R u+rwX .ben10',
      'If not, give .ben10 to the user who runs the agent: sudo chown -R "$(id -u)" .ben10',
      'ben10 doctor lists other problems with owners and modes.',
    ],
  },
  FS_WRITE_ERROR: {
    means: 'A write failed: the disk is full, over quota, read-only or failing.',
    next: [
      'Make room (ben10 compact makes the journal smaller), or mount the disk writable.',
      'Nothing that was acknowledged is lost: check with ben10 verify.',
    ],
  },
  FS_READ_ERROR: {
    means:
      'A path cannot be read: it is a folder, a pipe, a device or a file of /proc, or its disk is failing.',
    next: [
      'Check the path in the message, and give a regular file.',
      'If it is one, back up its disk now; ben10 verify lists what is damaged in a journal.',
    ],
  },
  CONTEXT_NOT_FOUND: {
    means: 'There is no journal here, or it is empty.',
    next: [
      'Run ben10 init in the project, then work in the client.',
      'ben10 import brings in earlier sessions from the client.',
    ],
  },
  CONTEXT_CORRUPTED: {
    means: 'A stored state is damaged.',
    next: [
      'Try again: the damaged file was set aside, and the state is rebuilt from the journal.',
      'ben10 verify checks the journal itself.',
    ],
  },
  CONTEXT_LOCKED: {
    means: 'Another ben10 process is writing and did not finish in time.',
    next: [
      'Try again in a moment. Hooks do not wait: their events go to the inbox.',
      'If it lasts, run ben10 doctor.',
    ],
  },
  SERIALIZE_FAILED: {
    means: 'A state could not be stored: it is too large or nested too deeply.',
    next: ['Please report it. The journal still has everything: ben10 replay'],
  },
  DESERIALIZE_FAILED: {
    means: 'A file of ben10 is intact but has an unknown format: another version wrote it.',
    next: ['Install the version that the message names, or a later one.'],
  },
  CHECKSUM_MISMATCH: {
    means: 'Bytes differ from what was written: the disk or another program changed them.',
    next: ['ben10 verify lists the damage; ben10 repair shows a plan.'],
  },
  SNAPSHOT_NOT_FOUND: {
    means: 'There is no compaction snapshot with that id.',
    next: ['ben10 snapshot list shows all. The start of an id is enough.'],
  },
  SNAPSHOT_CORRUPTED: {
    means: 'The stored state of a compaction snapshot is damaged.',
    next: ['Try again: the damaged file was set aside, and the state is rebuilt from the journal.'],
  },
  MCP_TOOL_ERROR: {
    means: 'A tool of ben10’s MCP server failed unexpectedly.',
    next: ['Run ben10 status and ben10 doctor.', 'See the server’s log.'],
  },
  MCP_RESOURCE_ERROR: {
    means: 'A resource of ben10’s MCP server could not be read.',
    next: ['Run ben10 status and ben10 doctor.'],
  },
  HOOK_INVALID_INPUT: {
    means: 'A hook got something other than a JSON object on stdin.',
    next: [
      'The client runs hooks. To test one, run ben10 doctor.',
      'The agent went on; the missed event is read from the transcript later.',
    ],
  },
  HOOK_EXECUTION_FAILED: {
    means: 'A hook failed unexpectedly, and its event was not recorded. The agent went on.',
    next: [
      'Run ben10 doctor.',
      'The missed event is read from the transcript at the end of the turn.',
    ],
  },
  JOURNAL_FOREIGN: {
    means: 'A file in the journal is not from ben10, or from a later version.',
    next: ['Install a later version of ben10, or move the file away.'],
  },
  JOURNAL_UNSAFE: {
    means: 'A folder of the journal is a link, belongs to another user, or others can write to it.',
    next: [
      'Make it yours, and private: chown -R "$USER" .ben10 && chmod -R go-rwx .ben10',
      'If you did not create it, delete it: it may be an attack.',
    ],
  },
  JOURNAL_DAMAGED: {
    means: 'Damage in the journal prevents this command.',
    next: ['ben10 verify lists the damage; ben10 repair shows a plan.'],
  },
  LIMIT_EXCEEDED: {
    means: 'An input exceeds a limit of ben10.',
    next: ['The message names the limit. Give less at a time.'],
  },
  STATES_BEHIND: {
    means: 'A hook had no time to read everything since the last stored state.',
    next: ['Nothing to do: the next process continues. ben10 status does it now.'],
  },
  STATES_LOST: {
    means:
      'Old events were dropped for their age, and the states that replaced them are damaged, cut off by a repair, or erased.',
    next: [
      'Only a backup of .ben10 brings them back.',
      'Earlier saves and snapshots can still be restored: ben10 save list, ben10 snapshot list.',
    ],
  },
  POINT_NOT_FOUND: {
    means: 'This point does not exist in the journal.',
    next: ['ben10 log shows the events and their numbers, ben10 save list the saves.'],
  },
  POINT_INVALID: {
    means: 'This is not a valid point.',
    next: [
      'Points are @1234, @-10, @head, @2026-11-21T10:00, @prompt:-2, @compaction:-1, @save:NAME.',
    ],
  },
  CONFIG_INVALID: {
    means: 'The settings have a mistake.',
    next: ['The message names the file, the line and what was expected.'],
  },
  SETTINGS_INVALID: {
    means:
      'A settings file of the client (.claude/settings.json, .mcp.json) is not valid JSON, or has an unexpected structure.',
    next: ['Fix the file where the message says, and run ben10 init again.'],
  },
  PACK_NOT_FOUND: {
    means: 'There is no such context pack, artifact of one, or kept rendering.',
    next: ['ben10 pack list names all packs, ben10 pack show NAME what is in one.'],
  },
  PACK_EXISTS: {
    means: 'There is a context pack of that name.',
    next: ['Take another name, or change that pack: ben10 pack set NAME.'],
  },
  PACK_DENIED: {
    means: 'The file is of a kind that often holds secrets.',
    next: [
      'Leave it out, or add it with --allow-sensitive: secrets that are found in it stay redacted.',
    ],
  },
  PACK_CHANGED: {
    means: 'What a context pack renders changed while its pages were read.',
    next: ['Render it again from the first page.'],
  },
  NOTHING_TO_UNDO: {
    means: 'No commit of a checkpoint can be taken back here.',
    next: ['See what was committed: git log -1, or git for-each-ref refs/ben10/wip'],
  },
  HANDOFF_NOT_FOUND: {
    means: 'There is no such handoff.',
    next: ['ben10 handoff list names all of them.'],
  },
  USAGE: {
    means: 'The command or tool got wrong arguments.',
    next: ['See the examples: ben10 COMMAND --help'],
  },
};

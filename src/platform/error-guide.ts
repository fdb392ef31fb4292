import type { ErrorCode } from './errors.ts';

/** What a code means, in general; the message of an error says what it was this time. */
export interface Guide {
  means: string;
  /** What to do, the most likely first. */
  next: readonly string[];
}

/** For people, apart from `errors.ts`, which every hook loads. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, Guide>> = {
  FS_NOT_FOUND: {
    means: 'A file or folder that was named is not there.',
    next: ['Look at the path in the message: a typing slip, or another folder than you think.'],
  },
  FS_PERMISSION_DENIED: {
    means: 'The operating system does not let ben10 read or write a file.',
    next: [
      'Where it is yours, give yourself its rights back: chmod -R u+rwX .ben10',
      'Where it is not, give .ben10 to the user who runs the agent: sudo chown -R "$(id -u)" .ben10',
      'ben10 doctor names what else is wrong with owners and modes.',
    ],
  },
  FS_WRITE_ERROR: {
    means: 'Something could not be written: the disk is full, out of quota, read-only or failing.',
    next: [
      'Make room (ben10 compact makes the journal smaller), or mount the disk writable.',
      'Nothing that was acknowledged is lost: ben10 verify shows it.',
    ],
  },
  FS_READ_ERROR: {
    means:
      'Something is there that cannot be read: a folder, a pipe, a device or a file of /proc, or its disk is failing.',
    next: [
      'Look at the path in the message, and name a plain file.',
      'If it is one, copy what you can from its disk; ben10 verify names what is damaged in a journal.',
    ],
  },
  CONTEXT_NOT_FOUND: {
    means: 'There is no journal here, or nothing was recorded in it yet.',
    next: [
      'ben10 init sets a project up; then work in the client.',
      'ben10 import brings in sessions that the client still has.',
    ],
  },
  CONTEXT_CORRUPTED: {
    means: 'A stored state is damaged: its bytes or its content are not what they have to be.',
    next: [
      'Ask again: the damaged file was set aside, and the state is made again from the journal.',
      'ben10 verify looks whether the journal itself is whole.',
    ],
  },
  CONTEXT_LOCKED: {
    means: 'Another process of ben10 is writing, and did not end in time.',
    next: [
      'Try again in a moment. Hooks never wait: their events go to the inbox.',
      'If it lasts, ben10 doctor says who holds the lock.',
    ],
  },
  SERIALIZE_FAILED: {
    means: 'A state could not be put into its stored form: it is too large, or nested too deep.',
    next: ['Tell the project about it; the journal has everything all the same: ben10 replay'],
  },
  DESERIALIZE_FAILED: {
    means:
      'A file of ben10’s has the right sum and cannot be understood: another version wrote it.',
    next: ['Install the version of ben10 that the message names, or a later one.'],
  },
  CHECKSUM_MISMATCH: {
    means: 'Bytes are not the ones that were written: the disk, or somebody, changed them.',
    next: ['ben10 verify names every damaged place; ben10 repair shows a plan.'],
  },
  SNAPSHOT_NOT_FOUND: {
    means: 'There is no compaction snapshot of that id.',
    next: ['ben10 snapshot list shows those that are there. The start of an id will do.'],
  },
  SNAPSHOT_CORRUPTED: {
    means: 'The stored state of a compaction snapshot is damaged.',
    next: [
      'Ask again: the damaged file was set aside, and the state is made again from the journal.',
    ],
  },
  MCP_TOOL_ERROR: {
    means: 'A tool of ben10’s server failed in a way that it does not know.',
    next: ['ben10 status and ben10 doctor say how the journal is.', 'The server’s log has more.'],
  },
  MCP_RESOURCE_ERROR: {
    means: 'A resource of ben10’s server could not be read.',
    next: ['ben10 status and ben10 doctor say how the journal is.'],
  },
  HOOK_INVALID_INPUT: {
    means: 'A hook was given something on stdin that is no JSON object.',
    next: [
      'Hooks are for the client: ben10 doctor runs one with a good input.',
      'The agent went on, and what was missed is taken from its transcript.',
    ],
  },
  HOOK_EXECUTION_FAILED: {
    means:
      'A hook failed in a way that it does not know, and its event is not recorded. The agent went on.',
    next: [
      'ben10 doctor runs the hooks and says what is wrong.',
      'What was missed is taken from the transcript at the end of the turn.',
    ],
  },
  JOURNAL_FOREIGN: {
    means: 'A file in the journal is none of ben10’s, or of a version that this one does not know.',
    next: ['Install a later version of ben10, or move the file away.'],
  },
  JOURNAL_UNSAFE: {
    means:
      'A folder of the journal is a link, belongs to somebody else, or others may write in it.',
    next: [
      'Make it your own, closed to others: chown -R "$USER" .ben10 && chmod -R go-rwx .ben10',
      'If you did not make it, delete it: somebody may want to write through it.',
    ],
  },
  JOURNAL_DAMAGED: {
    means: 'The journal is damaged where it must not be for what was asked.',
    next: ['ben10 verify names every place; ben10 repair shows a plan, and keeps what it removes.'],
  },
  LIMIT_EXCEEDED: {
    means: 'Something is larger, deeper or more than ben10 takes.',
    next: ['The message names the limit. Give less at a time.'],
  },
  STATES_BEHIND: {
    means: 'So much was recorded since the last stored state that a hook had no time to read it.',
    next: ['Nothing to do: the next process goes on from there. ben10 status does it at once.'],
  },
  STATES_LOST: {
    means:
      'Old events were dropped for their age, and states that stood for them are lost: damaged, cut off by a repair, or erased.',
    next: [
      'Nothing brings them back but a backup of .ben10: what was dropped is in no state without them.',
      'Saves and snapshots of before can still be restored: ben10 save --list, ben10 snapshot list.',
    ],
  },
  POINT_NOT_FOUND: {
    means: 'The journal has no such point.',
    next: ['ben10 log shows the events and their numbers, ben10 save --list the saves.'],
  },
  POINT_INVALID: {
    means: 'That is no point.',
    next: [
      'Points are @1234, @-10, @head, @2026-11-21T10:00, @prompt:-2, @compaction:-1, @save:NAME.',
    ],
  },
  CONFIG_INVALID: {
    means: 'The settings have a mistake.',
    next: ['The message names file and line, and what was expected.'],
  },
  SETTINGS_INVALID: {
    means:
      'A settings file of the client’s (.claude/settings.json, .mcp.json) is no JSON that can be added to.',
    next: ['Mend the file at the place that the message names, and run ben10 init again.'],
  },
  USAGE: {
    means: 'The command or tool was called in a way that it does not take.',
    next: ['ben10 COMMAND --help has examples.'],
  },
};

import path from 'node:path';
import type {
  JournalEvent,
  MessageRecorded,
  ToolCalled,
  ToolFailed,
  ToolSucceeded,
} from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import { readEvents } from '../../projections/events.ts';
import { isChange } from '../../projections/folds/files.ts';
import { isOwnTool, wordsOf } from '../../projections/tools-text.ts';
import { namesIn } from '../sources/file-facts.ts';
import { firstOfRecent } from './turns.ts';

/** The files that a prompt, message, call or answer names by their paths. */
export interface Named {
  session: string | null;
  files: ReadonlySet<string>;
}

/** Only what was named lately tells something, and a suggestion must not take minutes. */
const EVENTS_MAX = 20_000;
const CHARACTERS_MAX = 20_000;
const TYPES = [
  ...['prompt.submitted', 'message.recorded'],
  ...['tool.called', 'tool.succeeded', 'tool.failed'],
];
const PATHS = /\/?[\p{L}\p{N}_@~$+.()[\]{}-]+(?:\/[\p{L}\p{N}_@~$+.()[\]{}-]+)*/gu;
const AROUND = /^[([{]+|[.)\]}]+$/g;

/**
 * What sessions named, newest first.
 * @param files all that may be meant
 * @param upto as for `turnsOf`
 */
export function namedBy(
  project: Project,
  sessions: ReadonlySet<string | null>,
  files: ReadonlySet<string>,
  upto?: number,
): Named[] {
  const nameOf = namesIn(project.dir);
  const bases = new Set([...files].map((file) => path.posix.basename(file)));
  const from = firstOfRecent(project, upto, EVENTS_MAX);
  const query = { from, to: upto, types: TYPES };
  const found: Named[] = [];
  for (const event of readEvents(project.reader, project.ports.xxh64, query)) {
    const { session } = event;
    if (!sessions.has(session)) continue;
    const words = saidIn(event).slice(0, CHARACTERS_MAX).normalize('NFC').match(PATHS) ?? [];
    const named = new Set(
      words
        .map((word) => word.replace(AROUND, ''))
        .filter((word) => bases.has(path.posix.basename(word)))
        .map(nameOf)
        .filter((name) => files.has(name)),
    );
    if (named.size > 0) found.push({ session, files: named });
  }
  return found.reverse();
}

type Said = Partial<MessageRecorded & ToolCalled & ToolSucceeded & ToolFailed>;

/** Without calls that open a file, which count as that, and without ben10's own words. */
function saidIn({ type, data }: JournalEvent): string {
  const { text, name = '', input, response, error } = data as Said;
  if (isOwnTool(name)) return '';
  if (type === 'tool.called') return isChange(name) || name === 'Read' ? '' : wordsOf(input);
  return wordsOf(text ?? response ?? error);
}

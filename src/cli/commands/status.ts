import { Command } from 'clipanion';
import { oneLine } from '../../projections/safe-text.ts';
import { type ContextStatus, status } from '../../status/status.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { bytes, count, dateTime, plural } from '../ui/format.ts';
import { facts } from '../ui/table.ts';
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

export class StatusCommand extends Ben10Command {
  static override paths = [['status']];
  static override exits = {
    0: 'something was recorded, or can be; warnings are shown',
    1: 'the journal cannot be used',
  };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show how much was recorded, and what it costs.',
    details: `
      Messages, tokens and files are those of the session that was active last. What ben10 costs is said, too: the
      space that it takes, and the tokens that its hooks put into the agent's context. For the hooks' time, and for
      what may be wrong, see \`ben10 doctor\`.
    `,
    examples: [
      ['How is it?', '$0 status'],
      ['Is anything waiting for its place in the journal?', '$0 status --json | jq .journal.inbox'],
    ],
  });

  async execute() {
    return withJournal(this.context, (project) => {
      const found = status(project);
      if (this.json) this.printJson(found);
      else this.print(...this.#lines(found));
      return found.health === 'error' ? EXIT.notSo : EXIT.ok;
    });
  }

  #lines(found: ContextStatus): string[] {
    const { directory, health, warnings } = found;
    const { green, yellow, red, bold } = this.colours;
    const paint = { good: green, warning: yellow, error: red }[health];
    const head = `${bold(oneLine(directory))}  ${paint(health)}`;
    const notes = warnings.map((warning) => yellow(wrap(`! ${oneLine(warning)}`, TEXT_WIDTH)));
    return [head, ...(found.exists ? ['', ...facts(rowsOf(found))] : []), ...spaced(notes)];
  }
}

const spaced = (lines: string[]): string[] => (lines.length === 0 ? [] : ['', ...lines]);

function rowsOf(found: ContextStatus): [string, string][] {
  const { journal, cost } = found;
  const events = `${plural(journal.events, 'event')}, the newest is @${journal.lastSeq}`;
  const size = `${bytes(journal.bytes)} in ${plural(journal.segments, 'segment')}`;
  const tokens = plural(cost.injectedTokens, 'token');
  const injected = `about ${tokens} in ${plural(cost.injectedChars, 'character')}`;
  return [
    ['journal', `${events}; ${size}`],
    ...(journal.inbox === 0
      ? []
      : [['waiting', plural(journal.inbox, 'append')] as [string, string]]),
    ['sessions', count(found.sessionCount)],
    [
      'last session',
      `${plural(found.messageCount, 'message')}, ${plural(found.tokenCount, 'token')} in its context, ` +
        plural(found.trackedFiles, 'file'),
    ],
    ...cutOffRow(found),
    ['last saved', dateTime(found.lastSaved)],
    ['takes', `${bytes(cost.bytes)} on disk`],
    ['gave the agent', injected],
  ];
}

function cutOffRow({ cutOff }: ContextStatus): [string, string][] {
  if (cutOff === null) return [];
  const id = oneLine(cutOff.session).slice(0, 8);
  return [
    ['cut off', `session ${id} at ${dateTime(cutOff.at)}, recovered up to event @${cutOff.seq}`],
  ];
}

import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { SessionRecord } from '../../projections/folds/sessions.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { search } from '../../search/find.ts';
import { runningServers } from '../../status/servers.ts';
import { accountOf, type SessionAccount } from '../../timetravel/session-account.ts';
import { findSession, runningAmong, sessionsAt } from '../../timetravel/sessions.ts';
import { shown } from '../../timetravel/text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { indexed } from '../indexed.ts';
import { withJournal } from '../open.ts';
import { wholeNumber } from '../ui/arguments.ts';
import { foundLines, matchJson } from '../ui/found.ts';
import { listedSession, sessionLines, sessionTable } from '../ui/sessions.ts';

const LIMIT_DEFAULT = 20;

export class SessionsCommand extends Ben10Command {
  static override paths = [['sessions']];
  static override exits = { 0: 'printed', 1: 'there is no such session, or none has the words' };
  static override words = [['show'], 'sessions'] as const;
  static override usage = Command.Usage({
    category: 'Look',
    description: 'List the sessions, newest first, or show one.',
    details: `
      Without an argument, one line a session: when it was active last, how long it was from its first to its last event,
      files changed, shell commands, tokens, git branch, how it ended, first prompt. A session is "running" if its client
      runs; one that hooks saw begin and never end was "cut off"; of one that was only imported, the end is "unknown".
      Sub-agents are no sessions: their work belongs to the session that started them.

      \`show ID\` lists prompts, changed files, commands with their outcomes, compactions, and tokens by model. The start of an
      id is enough.

      With \`--json\`, the list has one line a session: {"session", "client", "title", "branch", "firstAt", "lastAt", "end":
      {"how", "reason"}, "starts", "prompts", "calls", "commands", "files", "agents", "compactions", "tokens": {"input",
      "output", "cacheWrite", "cacheHour", "cacheRead"}}, with times in milliseconds since 1970; what is in cacheHour is also
      in cacheWrite; with \`--grep\` each has a "match" as \`ben10 search\` prints it. For \`show\`, lists stand in the place of numbers, and "models" has the tokens by model.
    `,
    examples: [
      ['The newest sessions', '$0 sessions'],
      ['What happened in one of them?', '$0 sessions show 3f2a9c'],
      ['Where did we speak of Postgres?', '$0 sessions --grep postgres'],
      ['All that were cut off', `$0 sessions --json | jq -r 'select(.end.how=="cut off").session'`],
    ],
  });

  given = Option.Rest({ name: 'show ID' });
  grep = Option.String('--grep', {
    description:
      '<WORDS> Only sessions in which these occur, the best first, with their best match. For words, see: ben10 search --help.',
  });
  limit = Option.String('--limit', {
    description: `<N> Only the newest N, of each list for show; 0 is all. Default: ${LIMIT_DEFAULT}, with --json all.`,
  });

  async execute() {
    const [action, id, ...rest] = this.given;
    const isKnown = action === undefined || (action === 'show' && id !== undefined);
    if (!isKnown || rest.length > 0) {
      const what = `sessions takes nothing or "show ID", not "${shown(this.given.join(' '), 80)}"`;
      throw new Ben10Error('USAGE', what, { next: 'See: ben10 sessions --help' });
    }
    return withJournal(this.context, (project) => {
      if (id !== undefined) return this.#show(project, findSession(project, id));
      return this.grep === undefined ? this.#list(project) : this.#find(project, this.grep);
    });
  }

  #limit(): number {
    if (this.limit === undefined) return this.json ? Number.POSITIVE_INFINITY : LIMIT_DEFAULT;
    return wholeNumber('--limit', this.limit, 0) || Number.POSITIVE_INFINITY;
  }

  async #find(project: Project, query: string): Promise<Exit> {
    await indexed(project, this.context);
    const all = sessionsAt(project);
    const found = search(project, { query, isPerSession: true, limit: this.#limit() });
    const matches = found.matches.filter((one) => all.some((it) => it.session === one.session));
    const records = matches.map((one) => all.find((it) => it.session === one.session)!);
    const accounts = this.#accounts(project, all, records);
    if (this.json) {
      for (const [n, one] of accounts.entries())
        this.printJson({ ...listedSession(one), match: matchJson(matches[n]!, false) });
    } else if (matches.length > 0) {
      const layout = { ...this.#layout(), terms: found.terms, isExplained: false };
      const [head = '', ...rows] = sessionTable(accounts, layout);
      const lines = foundLines(matches, { ...layout, width: layout.width - 2 });
      this.print(head, ...rows.flatMap((row, n) => [row, `  ${lines[n]}`]));
    }
    if (matches.length < found.of && !this.json)
      this.note(this.colours.dim(`${found.of - matches.length} more; to see all: --limit 0`));
    if (matches.length === 0 && !this.json)
      this.note(`no session has ${oneLine(query).slice(0, 80)}`);
    return matches.length > 0 ? EXIT.ok : EXIT.notSo;
  }

  #accounts(
    project: Project,
    all: readonly SessionRecord[],
    listed: readonly SessionRecord[],
  ): SessionAccount[] {
    const running = this.#running(project, all);
    return listed.map((one) => accountOf(project, one, { isRunning: running.has(one.session) }));
  }

  #list(project: Project): Exit {
    const limit = this.#limit();
    const all = sessionsAt(project);
    const accounts = this.#accounts(project, all, all.slice(0, limit));
    if (this.json) for (const one of accounts) this.printJson(listedSession(one));
    else if (all.length === 0) this.note('No session was recorded here yet; see: ben10 status');
    else {
      this.print(...sessionTable(accounts, this.#layout()));
      const more = all.length - accounts.length;
      if (more > 0) this.note(this.colours.dim(`${more} earlier; to see all: --limit 0`));
    }
    return EXIT.ok;
  }

  #show(project: Project, session: string): Exit {
    const all = sessionsAt(project);
    const record = all.find((one) => one.session === session);
    if (record === undefined) {
      const why = `session ${session} has no prompt and no call`;
      throw new Ben10Error('POINT_NOT_FOUND', why, { next: `See: ben10 log --session ${session}` });
    }
    const isRunning = this.#running(project, all).has(session);
    const account: SessionAccount = accountOf(project, record, { isRunning, withOutputs: true });
    return this.answer(account, () => sessionLines(account, this.#limit(), this.#layout()));
  }

  #running(project: Project, all: readonly SessionRecord[]): Set<string> {
    const servers = runningServers(project);
    return runningAmong(all, { servers, now: this.context.now() });
  }

  #layout() {
    return { width: this.width, now: this.context.now(), colours: this.colours };
  }
}

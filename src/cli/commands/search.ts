import { Command, Option } from 'clipanion';
import { newestNames } from '../../log/names.ts';
import { parseTime } from '../../log/typed.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { KINDS } from '../../search/document.ts';
import { type Asked, search } from '../../search/find.ts';
import { nearWords } from '../../search/near.ts';
import { kindsOf, wordsAlone } from '../../search/query.ts';
import { type FoundIn, merged } from '../../search/several.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { indexed } from '../indexed.ts';
import { withJournals } from '../open.ts';
import { wholeNumber } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';
import { foundLines, matchJson, summaryLine } from '../ui/found.ts';
import { queriesIn } from '../ui/queries.ts';

const LIMIT_DEFAULT = 10;
/** Of a query that is quoted. */
const SHOWN_CHARS = 120;

interface View {
  project: Project;
  asked: Partial<Asked> & { limit: number };
}

const inAll = (views: ReadonlyMap<string, View>, query: string): FoundIn => {
  const found = Array.from(
    views,
    ([name, { project, asked }]) => [name, search(project, { ...asked, query })] as const,
  );
  return merged(new Map(found), Math.max(...Array.from(views.values(), (it) => it.asked.limit)));
};

export class SearchCommand extends Ben10Command {
  static override paths = [['search']];
  static override takesText = true;
  static override busy = 'searching';
  static override exits = { 0: 'found', 1: 'nothing matches, or it failed' };
  static override choices = { KIND: KINDS, BRANCH: 'branches' as const };
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Find what was said, run and changed, in all sessions.',
    details: `
      Lists the best matches, a line each: number, age, what it is, who says so, and the place that matches. \`ran\` is what happened,
      \`user\` and \`agent\` what they said, \`machine\` a summary. Any of the words may match, in any form; more of them, rarer ones and
      newer events come first. What the conversation went back from counts a quarter, and says so.

      Words may be \`'"an exact phrase"'\`, with quotes inside the shell's, \`-word\` or \`-'"a phrase"'\` for what must not occur,
      \`path:src/db.ts\` for a file or whole names of its path, \`kind:edit\`, and \`-kind:call\`
      for none; kinds alone list the newest.

      With \`--json\`: {"matches": [{"id", "kind", "seq", "session", "at", "title", "snippet", "files", "score", "standing"}],
      "of", "events", "ms"}; standing is "in force" or "abandoned by @N". \`--queries\` takes lines of {"id", "query"}, and prints
      lines of {"id", "matches"}.
    `,
    examples: [
      ['What was said of Postgres?', '$0 search why postgres'],
      ['Failures with exactly these words', `$0 search '"connection refused"' kind:call`],
      [
        'Edits of a file in the last three days',
        '$0 search retry path:src/db.ts kind:edit --since 3d',
      ],
      ['What was known before the last prompt', '$0 search "deploy key" --at @prompt:-1'],
      ['In another project, too', '$0 search rate limit --project ../api'],
    ],
  });

  words = Option.Rest({ name: 'words' });
  kinds = Option.Array('--kind', [], {
    description: `<KIND> Only ${KINDS.join(', ')}. Several: edit,call.`,
  });
  file = Option.String('--file', { description: '<PATH> Only what names this file or folder.' });
  branch = Option.String('--branch', {
    description: '<BRANCH> Only what was done on this git branch.',
  });
  session = Option.String('--session', {
    description: '<ID> Only this session; the start of its id is enough.',
  });
  since = Option.String('--since', {
    description: '<TIME> Only since a time: 2h, 3d, yesterday, 2026-11-21T10:00.',
  });
  at = Option.String('--at', {
    description: '<POINT> As if it were asked then. For points, see: ben10 replay --help.',
  });
  projects = Option.Array('--project', [], {
    description: '<DIR> Also in this project. May be repeated.',
  });
  limit = Option.String('--limit', {
    description: `<N> Only the best N. Default: ${LIMIT_DEFAULT}.`,
  });
  explain = Option.Boolean('--explain', false, {
    description:
      'Say what each score is made of: named is 2 in a time that the query names, basis counts less for a summary, support comes from other matches of the session.',
  });
  queries = Option.String('--queries', {
    description: '<FILE> Many queries, lines of JSON; prints JSON.',
  });

  async execute(): Promise<Exit> {
    const limit = this.limit === undefined ? LIMIT_DEFAULT : wholeNumber('--limit', this.limit, 1);
    const { cwd } = this.context;
    if (this.queries !== undefined && this.words.length > 0)
      throw new Ben10Error('USAGE', 'search takes words or --queries, not both', {
        next: 'See: ben10 search --help',
      });
    const queries = this.queries === undefined ? undefined : queriesIn(this.queries, cwd);
    return withJournals(this.context, this.projects, async (projects, own) => {
      const views = new Map<string, View>();
      for (const [name, project] of projects) {
        await indexed(project, this.context, project === own);
        views.set(name, { project, asked: { ...this.#asked(project), limit } });
      }
      if (queries === undefined) return this.#answer(views, this.words.join(' '));
      for (const { id, query } of queries) {
        const { matches } = inAll(views, query);
        this.printJson({ id, matches: matches.map((one) => matchJson(one, this.explain)) });
      }
      return EXIT.ok;
    });
  }

  #asked(project: Project): Partial<Asked> {
    const { file, branch, since, at } = this;
    const session = this.session === undefined ? undefined : findSession(project, this.session);
    const now = this.context.now();
    return {
      ...(this.kinds.length > 0 && { kinds: this.kinds.flatMap(kindsOf) }),
      ...(file !== undefined && { file }),
      ...(branch !== undefined && { branch }),
      ...(session !== undefined && { session }),
      ...(since !== undefined && { since: parseTime(since, now, 'from') }),
      ...(at !== undefined && { point: resolvePoint(project, at, { session }) }),
    };
  }

  #answer(views: ReadonlyMap<string, View>, query: string): Exit {
    const found = inAll(views, query);
    const { matches, of, events, terms } = found;
    const exit = matches.length > 0 ? EXIT.ok : EXIT.notSo;
    if (this.json) {
      const ms = Math.round(found.ms * 10) / 10;
      this.printJson({
        matches: matches.map((one) => matchJson(one, this.explain)),
        of,
        events,
        ms,
      });
      return exit;
    }
    const { dim } = this.colours;
    if (matches.length === 0)
      for (const line of this.#nothing(views, query, found)) this.note(line);
    else {
      const layout = { width: this.width, now: this.context.now(), colours: this.colours };
      this.print(...foundLines(matches, { ...layout, terms, isExplained: this.explain }));
      this.note(dim(summaryLine(found)));
    }
    return exit;
  }

  /** What was tried, and what else could be. */
  #nothing(views: ReadonlyMap<string, View>, query: string, found: FoundIn): string[] {
    const { kinds, file, branch, session, since, at } = this;
    const options = Object.entries({ kind: kinds.join(), file, branch, session, since, at });
    const given = options.flatMap(([name, value = '']) =>
      value === '' ? [] : `--${name} ${value}`,
    );
    const tried = oneLine([query, ...given].join(' ')).slice(0, SHOWN_CHARS);
    const alone = wordsAlone(found.query);
    const words = [...views.values()].map(({ project, asked: { limit } }) =>
      alone === '' ? 0 : search(project, { query: alone, limit }).of,
    );
    const others = words.reduce((sum, one) => sum + one, 0);
    const near = [...views.values()].flatMap(({ project, asked: { point } }) =>
      nearWords(project, found.query, point?.cut.upto),
    );
    const branches = [...views.values()].flatMap(({ project }) =>
      branch === undefined ? [] : newestNames(project, () => true).branches.map(({ name }) => name),
    );
    return [
      `nothing matches ${tried}; ${plural(found.events, 'text')} searched`,
      ...(found.terms.size === 0 && kinds.length === 0 ? ['signs alone cannot be looked for'] : []),
      ...(others > 0
        ? [
            `${plural(others, 'match', 'matches')} with: ben10 search ${alone.slice(0, SHOWN_CHARS)}`,
          ]
        : []),
      ...(branches.length > 0 && !branches.includes(branch!)
        ? [`the newest branches: ${oneLine(branches.slice(0, 10).join(', '))}`]
        : []),
      ...(near.length > 0 ? [`near words: ${[...new Set(near)].join(', ')}`] : []),
    ];
  }
}

import { Command, Option } from 'clipanion';
import {
  compileRedaction,
  problemText,
  type RedactionOptions,
  redactText,
} from '../../capture/redaction/index.ts';
import { withBlobs } from '../../log/blobs.ts';
import { queryLog } from '../../log/query.ts';
import { Unread, type Unreadable } from '../../log/unreadable.ts';
import { loadConfig } from '../../platform/config.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { type Describe, describer, type Finding } from '../../scan/finding.ts';
import {
  type FileFinding,
  type Searched,
  type Skipped,
  scanPath,
  scanPiped,
} from '../../scan/scan-files.ts';
import { scanValue, type ValueFinding } from '../../scan/scan-value.ts';
import { loadSecondOpinion, type SecondFinding } from '../../scan/second-opinion.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { projectOrHere, withJournalAsIs } from '../open.ts';
import { refusedLines } from '../ui/damage.ts';
import { plural } from '../ui/format.ts';
import { unreadableLine } from '../ui/unreadable.ts';
import { wrap } from '../ui/wrap.ts';

interface JournalFinding extends ValueFinding {
  /** 0 for an event in the inbox. */
  seq: number;
  id: string;
  type: string;
}

/** Findings of one file that are kept, to skip the same ones of the second opinion. */
const OWN_MAX = 10_000;

export class ScanCommand extends Ben10Command {
  static override paths = [['scan']];
  static override exits = {
    0: 'no secret was found',
    1: 'secrets were found, or something could not be searched',
  };
  static override words = ['files'] as const;
  static override busy = 'searching for secrets';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Search files or the journal for secrets.',
    details: `
      Uses ben10's redaction rules, with the project's patterns and allowed texts. Prints the rule and the place of each
      secret, its length and a short digest, which is the same for the same secret within one run; never the secret itself.

      Folders are searched recursively. Links are not followed, and binary files are skipped. "-" reads from a pipe.

      Files are also checked with secretlint's recommended rules. What only these find is listed separately, and does not
      change the exit code; with \`--json\` such a rule begins with SECRETLINT-.

      With \`--json\` each line is a finding. In files: rule, file, line, column, length, digest, checksum. In the journal:
      rule, seq, id, type, path, length, digest, checksum. Some tokens contain a checksum; a wrong one means that the token
      is only an example. More lines say what could not be read: {"unreadable": {"file"}}, or {"unreadable": {"events",
      "segments", "before", "refused"}}, where unknown numbers are null and "refused" has "file", "why" and "next".
    `,
    examples: [
      ['Search a project', '$0 scan .'],
      ['Search what is about to be committed', 'git diff --cached | $0 scan -'],
      ['Search the journal, for instance after an update of ben10', '$0 scan --journal'],
    ],
  });

  given = Option.Rest({ name: 'file' });
  journal = Option.Boolean('--journal', false, { description: 'Search the journal.' });

  #findings = 0;
  #rules = new Set<string>();
  /** Rules with findings in the journal. */
  #journalRules = new Set<string>();
  #ask: ReturnType<typeof loadSecondOpinion> | undefined;
  #second: SecondFinding[] = [];
  /** Files for which the second opinion failed. */
  #unasked = 0;
  #unreadable: Unreadable | null = null;
  #searched = 0;
  /** Files and folders that could not be read. */
  #unread = 0;

  async execute(): Promise<Exit> {
    if (this.given.length === 0 && !this.journal) {
      throw new Ben10Error('USAGE', 'nothing to search was given', {
        next: 'Give files, folders, - or --journal; see ben10 scan --help',
      });
    }
    const { cwd, env } = this.context;
    const { config } = loadConfig({ projectDir: projectOrHere(cwd), env });
    const { options, problems } = compileRedaction(config.redaction);
    for (const problem of problems) this.note(problemText(problem));
    const describe = describer();
    for (const given of this.given) await this.#scanPath(given, options, describe);
    if (this.journal) await this.#scanJournal(options, describe);
    this.#sayUnsearched();
    const isSearched = this.#unreadable === null && this.#unread === 0;
    if (this.#findings === 0 && isSearched && !this.json)
      this.print(
        this.#searched > 0 || this.journal ? 'No secrets were found.' : 'Nothing was searched.',
      );
    this.#printSecond();
    if (this.#findings > 0 && !this.json) this.#printEnd();
    return this.#findings === 0 && isSearched ? EXIT.ok : EXIT.notSo;
  }

  async #scanPath(given: string, options: RedactionOptions, describe: Describe): Promise<void> {
    const { cwd } = this.context;
    const found =
      given === '-' ? scanPiped('-', options, describe) : scanPath(given, cwd, options, describe);
    const skipped = new Map<Skipped['why'], number>();
    let own: FileFinding[] = [];
    for (const one of found) {
      // A name may be a secret itself.
      const file = redactText(one.file, options).text;
      if ('text' in one) {
        this.#searched += 1;
        await this.#askSecond(one, own, options, describe);
        own = [];
      } else if (!('why' in one)) {
        this.#printFile({ ...one, file });
        if (own.length < OWN_MAX) own.push(one);
      } else if (one.why === 'unreadable') this.#sayUnread(file);
      else skipped.set(one.why, (skipped.get(one.why) ?? 0) + 1);
    }
    const words = { binary: 'binary file', link: 'link', special: 'special file', unreadable: '' };
    const list = [...skipped].map(([why, times]) => plural(times, words[why]));
    if (list.length > 0) this.note(`skipped: ${list.join(', ')}`);
  }

  #sayUnread(file: string): void {
    this.#unread += 1;
    if (this.json) this.printJson({ unreadable: { file } });
    else this.note(`${oneLine(file)} cannot be read`);
  }

  /** Checks the same text with secretlint. */
  async #askSecond(
    searched: Searched,
    own: readonly FileFinding[],
    options: RedactionOptions,
    describe: Describe,
  ): Promise<void> {
    if (searched.text === '') return;
    this.#ask ??= loadSecondOpinion(options);
    const ask = await this.#ask;
    const inFile = own.filter(({ file }) => file === searched.file);
    const found = await ask(searched, inFile, describe);
    if (found === undefined) this.#unasked += 1;
    else {
      const file = redactText(searched.file, options).text;
      this.#second.push(...found.map((one) => ({ ...one, file })));
    }
  }

  #sayUnsearched(): void {
    if (this.#unasked > 0) {
      const files = plural(this.#unasked, 'file');
      this.note(`secretlint failed for ${files}`);
    }
    if (this.#unreadable === null) return;
    if (this.json) this.printJson({ unreadable: this.#unreadable });
    else {
      this.note(unreadableLine(this.#unreadable));
      for (const line of refusedLines(this.#unreadable.refused ?? [])) this.note(line);
    }
  }

  #printSecond(): void {
    if (this.#second.length === 0) return;
    if (!this.json) this.print('', "Found only by secretlint's rules:");
    for (const found of this.#second) {
      const { rule, file, line, column, length, digest } = found;
      const place = { file, line, column, length, digest, checksum: null };
      if (this.json) this.printJson({ rule: `SECRETLINT-${rule}`, ...place });
      else this.print(`${oneLine(file)}:${line}:${column}  ${about(found)}`);
    }
  }

  #printFile(found: FileFinding): void {
    const { rule, file, line, column, length, digest, checksum } = found;
    this.#count(rule);
    if (this.json) this.printJson({ rule, file, line, column, length, digest, checksum });
    else this.print(`${oneLine(file)}:${line}:${column}  ${about(found)}`);
  }

  async #scanJournal(options: RedactionOptions, describe: Describe): Promise<void> {
    await withJournalAsIs(this.context, (project) => {
      const unread = new Unread();
      for (const event of queryLog(project, { unread })) {
        const { seq, id, type, session, agent } = event;
        const data = withBlobs(project, event.data, (name) => unread.noteBlob(seq, name));
        // Ids are recorded without redaction.
        for (const found of [
          ...scanValue({ session, agent }, options, describe),
          ...scanValue(data, options, describe),
        ])
          this.#printEvent({ ...found, seq, id, type });
      }
      this.#unreadable = unread.of(project);
    });
  }

  #printEvent(found: JournalFinding): void {
    const { rule, seq, id, type, path, length, digest, checksum } = found;
    this.#count(rule);
    this.#journalRules.add(rule);
    if (this.json) this.printJson({ rule, seq, id, type, path, length, digest, checksum });
    else this.print(`@${seq} ${type} ${oneLine(path)}  ${about(found)}`);
  }

  #count(rule: string): void {
    this.#findings += 1;
    this.#rules.add(rule);
  }

  #printEnd(): void {
    this.print('', `${plural(this.#findings, 'secret')} by ${plural(this.#rules.size, 'rule')}.`);
    const [rule] = [...this.#journalRules].sort();
    if (rule === undefined) return;
    this.print(
      wrap(
        `To erase what a rule finds in the journal: ben10 erase --rule ${rule}. Also change leaked secrets where they
        are used.`,
      ),
    );
  }
}

function about({ rule, length, digest, checksum }: Finding): string {
  const verdict = checksum === null ? '' : checksum ? ', checksum right' : ', checksum wrong';
  return `${rule}  ${plural(length, 'character')}, #${digest}${verdict}`;
}

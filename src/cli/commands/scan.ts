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
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

interface JournalFinding extends ValueFinding {
  /** 0 for an event that still waits in the inbox. */
  seq: number;
  id: string;
  type: string;
}

/** Findings of one file that are remembered, so that they are not said twice. */
const OWN_MAX = 10_000;

export class ScanCommand extends Ben10Command {
  static override paths = [['scan']];
  static override exits = {
    0: 'no secret was found',
    1: 'secrets were found, and are listed; or a file, or a part of the journal, could not be searched',
  };
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Look for secrets in files, or in the journal.',
    details: `
      Searches with the rules that keep secrets out of the journal, the project's own patterns and allowed texts
      included. Says the rule and the place of each secret, never the secret: its length, and a short digest that is
      the same for the same secret within one run.

      Folders are searched with all that is in them. Links are not followed, and binary files are passed over. "-" is
      what is piped in.

      Of files, secretlint's recommended rules are asked, too. What only they find is listed apart, as a second
      opinion, and is no reason to end with 1; with \`--json\` its rule begins with SECRETLINT-.

      With \`--json\` every line is one finding: rule, file, line, column, length, digest, checksum; of the journal
      rule, seq, id, type, path, length, digest, checksum. The checksum says of a token that holds one whether it is
      right: a wrong one is an example. Where events could not be read, a line says so:
      {"unreadable": {"events", "segments", "before"}}; a number that is not known is null, and what is there and was not
      given is in "refused", with "file", "why" and "next". So does a line for each file or
      folder that could not: {"unreadable": {"file"}}.
    `,
    examples: [
      ['Is there a secret in this project?', '$0 scan .'],
      ['What is about to be committed', 'git diff --cached | $0 scan -'],
      ['What the journal holds that newer rules would keep out', '$0 scan --journal'],
    ],
  });

  given = Option.Rest({ name: 'file' });
  journal = Option.Boolean('--journal', false, { description: 'Search what the journal holds.' });

  #findings = 0;
  #rules = new Set<string>();
  /** Those that found something in the journal. */
  #journalRules = new Set<string>();
  #ask: ReturnType<typeof loadSecondOpinion> | undefined;
  #second: SecondFinding[] = [];
  /** Files about which there is no second opinion. */
  #unasked = 0;
  #unreadable: Unreadable | null = null;
  #searched = 0;
  /** Files and folders that could not be read. */
  #unread = 0;

  async execute(): Promise<Exit> {
    if (this.given.length === 0 && !this.journal) {
      throw new Ben10Error('USAGE', 'what is to be searched?', {
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
    if (list.length > 0) this.note(`passed over: ${list.join(', ')}`);
  }

  #sayUnread(file: string): void {
    this.#unread += 1;
    if (this.json) this.printJson({ unreadable: { file } });
    else this.note(`${oneLine(file)} cannot be read`);
  }

  /** Another program's rules, which are asked about what ours have searched. */
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
      this.note(`secretlint failed, and gave no second opinion about ${files}`);
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
    if (!this.json) this.print('', "A second opinion, by secretlint's rules:");
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
        // Ids are kept as the client gives them: what tells a session from another cannot be taken out.
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
        `To erase what a rule finds in the journal: ben10 erase --rule ${rule}. Whatever was leaked has to be changed
        where it is valid, too.`,
        TEXT_WIDTH,
      ),
    );
  }
}

function about({ rule, length, digest, checksum }: Finding): string {
  const verdict = checksum === null ? '' : checksum ? ', checksum right' : ', checksum wrong';
  return `${rule}  ${plural(length, 'character')}, #${digest}${verdict}`;
}

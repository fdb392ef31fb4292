import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RANGE_EVENTS_MAX } from '../../../src/cli/commands/erase.ts';
import type { Ben10Context } from '../../../src/cli/context.ts';
import { run } from '../../../src/cli/run.ts';
import { SECRET_BYTES_MAX } from '../../../src/cli/ui/secret-input.ts';
import { CONTAINER_FILE_BYTES_MAX } from '../../../src/journal/format/container.ts';
import { prompt } from '../../log/events.ts';
import { openTestProject } from '../../support.ts';
import {
  cleanEnv,
  emptyProject,
  here,
  inMemory,
  json,
  Memory,
  PROGRAM,
  recordedProject,
  SESSION,
} from '../support.ts';

const SECRET = 'kanari-4711-vogel';

/** Three prompts, the second of which holds the secret. */
function leaky(): string {
  const dir = emptyProject();
  const project = openTestProject(dir);
  project.writer.append([prompt('one'), prompt(`two ${SECRET} two`), prompt('three')]);
  project.close();
  return dir;
}

/** All bytes of a project's `.ben10`. */
function bytesOf(dir: string): Buffer {
  const files = readdirSync(path.join(dir, '.ben10'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(dir, '.ben10', name))
    .filter((file) => statSync(file).isFile());
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

/** Runs `erase` with something on its stdin. @param isTTY as if it were typed */
async function withStdin(dir: string, args: string[], input: string, isTTY = false) {
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} });
  stdin.end(input);
  const [stdout, stderr] = [new Memory(), new Memory()];
  const context = {
    env: cleanEnv(path.join(dir, 'no-home')),
    stdin,
    stdout,
    stderr,
    colorDepth: 1,
    cwd: dir,
    now: Date.now,
    interruption: () => new AbortController().signal,
  } as Ben10Context;
  const code = await run(['erase', ...args], context);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

interface Planned {
  done: boolean;
  events: { seq: number; type: string; at: number; part: boolean }[];
}

describe('ben10 erase', () => {
  it('shows what it would do, never what is erased, and changes nothing without --yes', async () => {
    const dir = leaky();
    const before = bytesOf(dir);
    const shown = await here(dir, ['erase', '--pattern', SECRET]);
    expect(shown.status, shown.stderr).toBe(0);
    expect(shown.stdout).toMatch(/^Plan; nothing was changed yet\./);
    expect(shown.stdout).toMatch(/@2 +prompt\.submitted +2026-11-21 12:00:00 +the secret in it/);
    expect(shown.stdout).toContain('--yes');
    expect(shown.stdout + shown.stderr).not.toContain('kanari');
    const planned = json<Planned>(await here(dir, ['erase', '--pattern', SECRET, '--json']));
    expect(planned.done).toBe(false);
    expect(planned.events).toMatchObject([{ seq: 2, type: 'prompt.submitted', part: true }]);
    expect(JSON.stringify(planned)).not.toContain('two');
    expect(bytesOf(dir).equals(before)).toBe(true);
  });

  it('erases with --yes: the secret is in no file, the rest of the event stays, and the chain verifies', async () => {
    const dir = leaky();
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(done.status, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/^1 event erased\.\n/);
    expect(done.stdout).toContain('Change the secret where it is used');
    expect(done.stdout + done.stderr).not.toContain('kanari');
    expect(bytesOf(dir).includes(SECRET)).toBe(false);
    expect((await here(dir, ['verify'])).status).toBe(0);
    expect((await here(dir, ['log'])).stdout).toContain('two [REDACTED:ERASED] two');
    const again = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(again.stdout).toBe('Nothing was found.\n');
    expect(again.status).toBe(0);
  });

  it('erases events by their seqs, all of each', async () => {
    const dir = leaky();
    const done = json(await here(dir, ['erase', '@1', '2', '--yes', '--json']));
    expect(done).toMatchObject({
      done: true,
      events: 2,
      left: [],
      plan: { events: [{ seq: 1 }, { seq: 2 }] },
    });
    const log = (await here(dir, ['log'])).stdout;
    expect(log).not.toContain('two');
    expect(log).toContain('three');
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('says that running clients should be restarted', async () => {
    for (const args of [[], ['--yes']]) {
      const { stdout } = await here(leaky(), ['erase', '--pattern', SECRET, ...args]);
      expect(stdout).toContain('Restart all clients in this project');
    }
  });

  it('erases what a redaction rule finds now', async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    // Straight into the journal: as if there had been no such rule then.
    project.writer.append([prompt('token acme-0123abcd here'), prompt('none')]);
    project.close();
    const rules = 'redaction:\n  patterns:\n    - id: ACME\n      pattern: acme-[0-9a-f]{8}\n';
    writeFileSync(path.join(dir, '.ben10/config.yaml'), rules);
    const wrong = await here(dir, ['erase', '--rule', 'acmee']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('no redaction rule has that id; the nearest is ACME');
    const done = await here(dir, ['erase', '--rule', 'acme', '--yes', '--json']);
    expect(done.status, done.stdout + done.stderr).toBe(0);
    expect(json(done)).toMatchObject({ done: true, events: 1 });
    expect(bytesOf(dir).includes('acme-0123abcd')).toBe(false);
    const log = (await here(dir, ['log', '--json'])).stdout;
    expect(log).toContain('token [REDACTED:ACME] here');
    expect(log).toContain('"rule":"ACME"');
  });

  it('reads the text from a pipe', () => {
    const dir = leaky();
    const piped = spawnSync(process.execPath, [PROGRAM, 'erase', '--pattern', '-', '--yes'], {
      cwd: dir,
      env: cleanEnv(path.join(dir, 'no-home')),
      input: `${SECRET}\n`,
      encoding: 'utf8',
    });
    expect(piped.stdout).toMatch(/^1 event erased/);
    expect(bytesOf(dir).includes(SECRET)).toBe(false);
  });

  it('asks for the text at a terminal, and does not show it', async () => {
    const dir = leaky();
    const typed = await withStdin(dir, ['--pattern', '-'], `${SECRET}x\u007f\r`, true);
    expect(typed.stderr).toBe('Text to erase (it is not shown): \n');
    expect(typed.stdout).toContain('@2');
    expect(typed.code).toBe(0);
    const broken = await withStdin(dir, ['--pattern', '-'], '\u0003', true);
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    const long = await withStdin(dir, ['--pattern', '-'], 'x'.repeat(SECRET_BYTES_MAX + 1));
    expect(long).toMatchObject({ code: 2, stdout: '' });
    const longest = await withStdin(dir, ['--pattern', '-'], 'x'.repeat(SECRET_BYTES_MAX));
    expect(longest.code).toBe(0);
  });

  it.each([
    [[], 'nothing to erase was given'],
    [['@1', '--pattern', SECRET], 'not several of them'],
    [['--pattern', SECRET, '--pattern', 'another', '--yes'], 'not several of them'],
    [['--rule', 'URL-PASSWORD', '--rule', 'PRIVATE', '--yes'], 'not several of them'],
    [['--rule', 'URL-PASSWORD', '--pattern', SECRET, '--yes'], 'not several of them'],
    [['--pattern', 'abc'], 'too short'],
    [['--pattern', `/${SECRET}(/`], 'not a valid regular expression'],
    [['--pattern', '/x*/'], 'can match an empty text'],
    [[SECRET], 'expected the number of an event'],
    [['@0'], 'expected the number of an event'],
    [['@3..@2'], 'not a range of events'],
    [['@0..@2'], 'not a range of events'],
    [[`@1..@${RANGE_EVENTS_MAX + 1}`], 'the range is too long'],
  ])('refuses %j as wrong usage, and repeats nothing of it', async (args, message) => {
    const { code, stdout, stderr } = await inMemory(leaky(), ['erase', ...args]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('kanari');
  });

  it('erases a range of events, and warns where that is most of the journal', async () => {
    const dir = leaky();
    const most = await inMemory(dir, ['erase', '@1..@2']);
    expect(most.stdout).toContain('Careful: this erases 2 events completely, of 3 in the journal');
    const one = await inMemory(dir, ['erase', '2..2']);
    expect(one.stdout).not.toContain('Careful');
    const largest = await inMemory(dir, ['erase', `@1..@${RANGE_EVENTS_MAX}`, '--json']);
    expect(json<Planned>(largest).events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const beyond = await inMemory(dir, ['erase', '@4..@9']);
    expect(beyond).toMatchObject({ code: 1 });
    expect(beyond.stderr).toContain('there is no event @4..@9');
  });

  it('takes what a range has in a journal that lost an event, and still asks for each that is named', async () => {
    const dir = leaky();
    const file = openTestProject(dir).reader.segments()[0]!.path;
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill('#', bytes.indexOf('two'), bytes.indexOf('two') + 9));
    expect((await here(dir, ['repair', '--yes'])).status).toBe(0);
    const range = await inMemory(dir, ['erase', '@1..@3', '--json']);
    expect(json<Planned>(range).events.map(({ seq }) => seq)).toEqual([1, 3]);
    const named = await inMemory(dir, ['erase', '@1..@3', '@2']);
    expect(named.stderr).toContain('there is no event @2 in this journal');
  });

  it.each(['', '\n', '  \n'])(
    'says that nothing was given where %j comes from the pipe',
    async (input) => {
      const { code, stderr } = await withStdin(leaky(), ['--pattern', '-'], input);
      expect(code).toBe(2);
      expect(stderr).toContain('the pattern is empty');
      expect(stderr).not.toContain('too short');
    },
  );

  it.each(['hook', 'claude-code', '/prompt.submi/', 'session', 'toolUseId'])(
    'does not take the names that ben10 gave for the secret %j',
    async (name) => {
      const { stdout } = await inMemory(leaky(), ['erase', '--pattern', name]);
      expect(stdout).toBe('Nothing was found.\n');
    },
  );

  it('names the transcript that still holds it, and what an import of it brings back: nothing', {
    tags: 'long',
  }, async () => {
    const dir = recordedProject();
    const events = Number(json(await here(dir, ['verify', '--json'])).events);
    const done = await here(dir, ['erase', '--pattern', 'overdue filter', '--yes']);
    expect(done.stdout).toMatch(/transcript\.jsonl/);
    expect(bytesOf(dir).includes('overdue filter')).toBe(false);
    const after = Number(json(await here(dir, ['verify', '--json'])).events);
    expect(after).toBeGreaterThan(events);
    const imported = await here(dir, ['import', SESSION, '--json']);
    expect(imported.status, imported.stderr).toBe(0);
    expect(bytesOf(dir).includes('overdue filter')).toBe(false);
    expect(Number(json(await here(dir, ['verify', '--json'])).events)).toBeLessThanOrEqual(
      after + 1,
    );
  });

  it('finds nothing where nothing was recorded yet', async () => {
    const dir = emptyProject();
    for (const args of [[], ['--yes']]) {
      const said = await here(dir, ['erase', '--pattern', SECRET, ...args]);
      expect(said.stdout, said.stderr).toBe('Nothing was found.\n');
      expect(said.status).toBe(0);
    }
  });

  it('says that a damaged segment was not searched, and that this is not all', async () => {
    const dir = leaky();
    const project = openTestProject(dir);
    project.writer.rotate(0);
    project.writer.append([prompt(`four ${SECRET}`)]);
    const file = project.reader.segments()[0]!.path;
    project.close();
    const bytes = readFileSync(file);
    bytes[bytes.indexOf(SECRET)]! ^= 1;
    writeFileSync(file, bytes);
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(done.stdout).toMatch(/^1 event erased, but not everything is gone/);
    expect(done.stdout).toMatch(/Not searched, because of damage:\n {2}0{15}1\.b10\n/);
    expect(done.status).toBe(1);
    expect((await here(dir, ['erase', '@2', '--yes'])).stderr).toContain('there is no event @2');
    const by = await here(dir, ['erase', '@1', '--yes']);
    expect(by.stderr).toContain('0000000000000001.b10 is damaged, so nothing in it can be erased');
    expect(by.status).toBe(1);
  });

  it('says in the plan that damaged bytes hold it, and erases it once they are repaired', {
    tags: 'long',
  }, async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    const texts = [1, 2, 3, 4].map((n) => `text ${n} of ${SECRET} and more`);
    project.writer.append([
      prompt('before'),
      ...texts.map((text) => prompt(text)),
      prompt('after'),
    ]);
    const file = project.reader.segments()[0]!.path;
    project.close();
    const bytes = readFileSync(file);
    // Two bits in each, beside the secret: more than the checksums put right.
    for (const text of texts) bytes.fill('##', bytes.indexOf(text), bytes.indexOf(text) + 2);
    writeFileSync(file, bytes);
    const plan = await here(dir, ['erase', '--pattern', SECRET]);
    expect(plan.stdout).toContain('Nothing was found in the readable events.');
    expect(plan.stdout).not.toContain('there is nothing to erase');
    expect(plan.stdout).toMatch(
      /Contained in damaged bytes, which are not events:\n {2}0{15}1\.b10/,
    );
    expect(plan.stdout).toContain('First run ben10 repair --yes, then erase again.');
    expect(plan.status).toBe(1);
    const asRegex = await here(dir, ['erase', '--pattern', '/kanari-\\d+/', '--json']);
    expect(json(asRegex)).toMatchObject({ damaged: ['0000000000000001.b10'] });
    const other = await here(dir, ['erase', '--pattern', 'nobody-said-this', '--json']);
    expect(json(other)).toMatchObject({ damaged: [], unsearched: ['0000000000000001.b10'] });
    const tried = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(tried.status).toBe(1);
    expect(tried.stdout).toMatch(/^0 events erased, but not everything is gone/);
    expect(tried.stdout).toContain('First run ben10 repair --yes, then erase again.');
    expect(tried.stdout).not.toContain('remove the file');
    expect((await here(dir, ['repair', '--yes'])).status).toBe(0);
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(done.status, done.stdout).toBe(0);
    expect(bytesOf(dir).includes(SECRET)).toBe(false);
    expect((await here(dir, ['log'])).stdout).toContain('after');
  });

  it.each([
    ['an event', 'three'],
    ['no event', SECRET],
  ])(
    'removes as many files as its plan says where %s holds it',
    { tags: 'long' },
    async (_, text) => {
      const dir = leaky();
      // States, of which only one holds it in the second case; and what a repair put aside.
      expect((await here(dir, ['save', 'early'])).status).toBe(0);
      expect((await here(dir, ['erase', '--pattern', SECRET, '--yes'])).status).toBe(0);
      expect((await here(dir, ['save', 'late'])).status).toBe(0);
      const quarantine = path.join(dir, '.ben10/journal/quarantine');
      mkdirSync(quarantine, { recursive: true, mode: 0o700 });
      writeFileSync(path.join(quarantine, 'cut'), `torn ${SECRET}`);
      writeFileSync(path.join(quarantine, 'other'), 'torn');
      const shown = (await here(dir, ['erase', '--pattern', text])).stdout;
      const planned = json<{ derived: Record<string, string[]> }>(
        await here(dir, ['erase', '--pattern', text, '--json']),
      );
      const done = json(await here(dir, ['erase', '--pattern', text, '--yes', '--json']));
      expect(done.done).toBe(true);
      expect(done.files).toBe(Object.values(planned.derived).flat().length);
      expect(shown).not.toMatch(/\n\n\n/);
      if (text === SECRET)
        expect(planned.derived).toMatchObject({
          states: [],
          quarantine: [expect.stringMatching(/cut$/)],
        });
      else expect(planned.derived.states).not.toEqual([]);
    },
  );

  it('does not reach through links', async () => {
    const dir = leaky();
    const origin = readdirSync(path.join(dir, '.ben10/journal')).find((name) =>
      /^[0-9a-f]{32}$/.test(name),
    )!;
    const away = path.join(dir, 'away');
    renameSync(path.join(dir, '.ben10/journal', origin), away);
    symlinkSync(away, path.join(dir, '.ben10/journal', origin));
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(done.stderr).toContain('[JOURNAL_UNSAFE]');
    expect(done.status).toBe(1);
  });
});

describe('where the journal is kept in another folder', () => {
  it('says what .ben10 still holds: the settings, and a journal that was left there', {
    tags: 'long',
  }, async () => {
    const dir = leaky();
    const settings = path.join(dir, '.ben10/config.yaml');
    expect(
      (await here(dir, ['config', 'set', 'context.storageLocation', 'elsewhere'])).status,
    ).toBe(0);
    writeFileSync(settings, `${readFileSync(settings)}# ${SECRET}\n`);
    const project = openTestProject(dir);
    expect(project.root).toBe(path.join(dir, 'elsewhere'));
    project.writer.append([prompt(`here ${SECRET}`)]);
    project.close();
    const plan = await here(dir, ['erase', '--pattern', SECRET]);
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect([plan.status, done.status]).toEqual([0, 1]);
    expect(done.stdout).toMatch(/^1 event erased, but not everything is gone\.\n/);
    for (const { stdout } of [plan, done]) {
      expect(stdout).toContain('.ben10/config.yaml contains it, too. Remove it');
      expect(stdout).toMatch(
        /^\.ben10\/journal\/[0-9a-f]{32}\/0{15}1\.b10\s+contains\s+it,\s+too;\s+the\s+journal\s+was\s+there/m,
      );
      expect(stdout).not.toContain(SECRET);
    }
    // By its text alone: who names events does not look for anything.
    expect((await here(dir, ['erase', '@1', '--yes'])).status).toBe(0);
  });

  it('says what the other folder still holds once the journal is kept in .ben10 again', async () => {
    const dir = leaky();
    const move = async (place: string) =>
      await here(dir, ['config', 'set', 'context.storageLocation', place]);
    expect((await move('elsewhere')).status).toBe(0);
    const project = openTestProject(dir);
    project.writer.append([prompt(`there ${SECRET}`)]);
    project.close();
    expect((await move('.ben10')).status).toBe(0);
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(done.stdout).toMatch(
      /^elsewhere\/journal\/[0-9a-f]{32}\/0{15}1\.b10\s+contains\s+it,\s+too;\s+the\s+journal\s+was\s+there/m,
    );
    expect(done.status).toBe(1);
    rmSync(path.join(dir, 'elsewhere'), { recursive: true });
    expect((await here(dir, ['erase', '--pattern', SECRET, '--yes'])).status).toBe(0);
  });
});

describe('a file of .ben10 that cannot be looked into', () => {
  it('is named, and nobody is told that all is gone', async () => {
    const dir = leaky();
    const root = path.join(dir, '.ben10');
    mkdirSync(path.join(root, 'journal/quarantine'), { recursive: true, mode: 0o700 });
    // A name that is no UTF-8, and more than ben10 writes into any file.
    const garbled = Buffer.concat([Buffer.from(`${root}/journal/quarantine/cut`), Buffer.of(0xff)]);
    writeFileSync(garbled, SECRET);
    writeFileSync(path.join(root, 'notes'), SECRET);
    truncateSync(path.join(root, 'notes'), CONTAINER_FILE_BYTES_MAX + 1);
    const plan = await here(dir, ['erase', '--pattern', 'not-there-at-all']);
    expect(plan.stdout).toMatch(/^Nothing was found in the readable events\.\n/);
    const done = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(done.stdout).toContain('but not everything is gone.');
    for (const { stdout, status } of [plan, done]) {
      expect(stdout).toMatch(/^notes could not be searched: it is too large/m);
      expect(stdout).toMatch(/^journal\/quarantine\/cut\ufffd could not be searched/m);
      expect(status).toBe(1);
    }
    rmSync(garbled);
    rmSync(path.join(root, 'notes'));
    expect(await here(dir, ['erase', '--pattern', SECRET, '--yes'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Nothing was found.'),
    });
  });
});

import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactionCheck } from '../../src/capture/check-redaction.ts';
import { checkGaps, checkUnknownSessions, SESSIONS_COMPARED } from '../../src/capture/gaps.ts';
import { checkJournal, INBOX_FILES_WARN } from '../../src/doctor/journal.ts';
import { checkSettings } from '../../src/doctor/settings.ts';
import { spool } from '../../src/journal/append/inbox.ts';
import { originDir } from '../../src/journal/format/layout.ts';
import { readManifest, writeManifest } from '../../src/journal/format/manifest.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { compileHookConfig, writeHookConfig } from '../../src/platform/hook-config.ts';
import type { Project } from '../../src/project/open.ts';
import { save } from '../../src/timetravel/saves.ts';
import { ben10, SESSION } from '../cli/support.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, realPorts } from '../support.ts';
import { importInto } from '../tell.ts';

const DAY_MS = 86_400_000;

function recorded(): Project {
  const project = openTestProject();
  project.writer.append([prompt('one'), prompt('two'), prompt('three')]);
  return project;
}

describe('the doctor looks at the journal', () => {
  it('finds a sound one in order, and an empty one', () => {
    expect(checkJournal(recorded())).toMatchObject([
      { check: 'journal', verdict: 'ok', what: 'its newest part is sound, up to @3' },
      { check: 'inbox', verdict: 'ok' },
    ]);
    expect(checkJournal(openTestProject())[0]).toMatchObject({ verdict: 'ok' });
  });

  it('finds damage in its newest part, and says how to get back what was lost', () => {
    const project = recorded();
    const file = project.reader.segments()[0]!.path;
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('two')]! ^= 1;
    writeFileSync(file, bytes);
    expect(checkJournal(project)[0]).toMatchObject({
      verdict: 'fail',
      what: 'its newest part is damaged in one place',
      mend: expect.stringContaining('ben10 import'),
    });
  });

  it('tells of a manifest that is damaged or gone, until a writer has made another one', () => {
    const project = recorded();
    const { manifest } = project.layout;
    const of = (what: string) => ({
      check: 'journal',
      verdict: 'fail',
      what: expect.stringContaining(`its manifest is ${what}`),
      mend: expect.stringContaining('ben10 repair'),
    });
    writeFileSync(manifest, 'junk');
    expect(checkJournal(project)[0]).toMatchObject(of('damaged'));
    rmSync(manifest);
    expect(checkJournal(project)[0]).toMatchObject(of('missing'));
    const { ports, root, decoders } = project;
    repairJournal(ports, root, decoders);
    expect(checkJournal(project)[0]).toMatchObject({ verdict: 'ok' });
  });

  it('names the newest event, also where the newest segment is still empty', () => {
    const project = recorded();
    const { ports, layout, reader } = project;
    const newest = [...reader.entries()].at(-1)!.entry!.seq;
    project.writer.rotate(0);
    expect(reader.segments().at(-1)!.firstSeq).toBe(newest + 1);
    expect(ports.fs.statIfThere(layout.manifest)).toBeDefined();
    expect(checkJournal(project)).toContainEqual(
      expect.objectContaining({ what: `its newest part is sound, up to @${newest}` }),
    );
  });

  it('knows what a repair recorded as lost', () => {
    const project = recorded();
    const { ports, root, decoders, reader } = project;
    for (const text of ['four', 'five']) {
      project.writer.rotate(0);
      project.writer.append([prompt(text)]);
    }
    rmSync(reader.segments()[1]!.path);
    expect(checkJournal(project)[0]).toMatchObject({
      verdict: 'fail',
      mend: expect.stringContaining('ben10 repair'),
    });
    repairJournal(ports, root, decoders);
    expect(checkJournal(project)[0]).toMatchObject({
      verdict: 'ok',
      what: 'event @4 is lost, as a repair recorded',
    });
  });

  it('misses what a removed segment took along, and what is behind a lost header', () => {
    const project = recorded();
    const segments = () => project.reader.segments();
    for (const text of ['four', 'five']) {
      project.writer.rotate(0);
      project.writer.append([prompt(text)]);
    }
    const bytes = readFileSync(segments()[1]!.path);
    rmSync(segments()[1]!.path);
    expect(checkJournal(project).slice(0, 2)).toMatchObject([
      {
        check: 'journal',
        verdict: 'fail',
        what: 'event @4 is missing, before 0000000000000005.b10',
        mend: expect.stringContaining('ben10 verify'),
      },
      { check: 'journal', verdict: 'ok' },
    ]);
    writeFileSync(segments()[0]!.path.replace(/1\.b10$/, '4.b10'), bytes);
    expect(checkJournal(project)[0]).toMatchObject({ verdict: 'ok' });
    writeFileSync(segments()[0]!.path, readFileSync(segments()[0]!.path).fill(0, 0, 128));
    expect(checkJournal(project)[0]).toMatchObject({
      verdict: 'fail',
      what: 'events from @1 to @3 are lost: 0000000000000001.b10 cannot be read',
    });
  });

  it('minds an inbox that nobody empties, and not one of a passing moment', () => {
    const project = recorded();
    const fill = (files: number) => {
      for (let n = 0; n < files; n += 1) spool(realPorts, project.layout, [prompt(String(n))]);
    };
    fill(1);
    expect(checkJournal(project)[1]).toMatchObject({
      verdict: 'ok',
      what: expect.stringMatching(/^1 file waits/),
    });
    fill(INBOX_FILES_WARN - 1);
    expect(checkJournal(project)[1]).toMatchObject({ verdict: 'ok' });
    fill(1);
    expect(checkJournal(project)[1]).toMatchObject({
      verdict: 'warn',
      what: `${INBOX_FILES_WARN + 1} files wait in it`,
    });
  });

  it('says what an inbox waits for that no writer takes in: the end of an erasure', () => {
    const { dir, layout } = recorded();
    const cutOff = { ...readManifest(realPorts, layout)!, erasing: 3 };
    writeManifest(realPorts, layout, cutOff);
    spool(realPorts, layout, [prompt('four')]);
    expect(checkJournal(openTestProject(dir))[1]).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('until an interrupted erasure is finished'),
      mend: expect.stringMatching(/^Run: ben10 log, .*: ben10 repair$/),
    });
    expect(ben10(dir, ['log']).stdout).toContain('four');
    expect(checkJournal(openTestProject(dir))[1]).toMatchObject({ verdict: 'ok' });
  });

  it('tells of states that are stored of later events than there are, as where the journal began again', () => {
    const project = recorded();
    save(project, { name: 'kept' });
    expect(checkJournal(project)).not.toContainEqual(expect.objectContaining({ verdict: 'warn' }));
    project.close();
    const { layout, reader } = project;
    rmSync(originDir(layout, reader.origin()!), { recursive: true });
    const again = openTestProject(project.dir);
    again.writer.append([prompt('anew')]);
    expect(checkJournal(again)).toContainEqual({
      check: 'journal',
      verdict: 'warn',
      what: expect.stringMatching(/^it ends at @1, but there is a stored state up to @3:/),
      mend: expect.stringContaining('ben10 import'),
    });
  });

  it('mentions what recovery has put aside', () => {
    const project = recorded();
    appendFileSync(project.reader.segments()[0]!.path, 'torn');
    const other = openTestProject(project.dir);
    other.writer.append([prompt('four')]);
    expect(checkJournal(other)[2]).toMatchObject({
      check: 'quarantine',
      verdict: 'warn',
      what: `in ${other.layout.quarantine}: 1 part cut out of a segment`,
      mend: expect.stringContaining(`rm -r ${other.layout.quarantine}`),
    });
  });

  it('says of what a repair set aside what it is, and how to be rid of it', () => {
    const project = recorded();
    const { ports, root, decoders, layout, reader } = project;
    for (const text of ['four', 'five']) {
      project.writer.rotate(0);
      project.writer.append([prompt(text)]);
    }
    const [first, second, third] = reader.segments().map((file) => file.path);
    const [one, two] = [readFileSync(first!), readFileSync(second!)];
    writeFileSync(first!, two);
    writeFileSync(second!, one);
    expect(repairJournal(ports, root, decoders).after.ok).toBe(true);
    const told = () => checkJournal(project).filter(({ check }) => check === 'quarantine');
    const before = '2 files set aside by a repair';
    const mend = expect.stringMatching(
      /^ben10 does not read them\. .*verify.*: rm -r \S+quarantine$/,
    );
    expect(told()).toMatchObject([{ what: `in ${layout.quarantine}: ${before}`, mend }]);
    renameSync(third!, third!.replace('05.b10', '09.b10'));
    writeFileSync(path.join(layout.inbox, '0000019aa0000000-abcdef012345.evt'), 'junk');
    const { after } = repairJournal(ports, root, decoders);
    expect(after.ok).toBe(true);
    expect(told()).toHaveLength(1);
    expect(told()[0]!.what).toMatch(/1 unreadable inbox file, /);
    expect(told()[0]!.what).toMatch(/3 files set aside by a repair/);
    expect(told()[0]!.what).not.toMatch(/could not be read/);
    rmSync(layout.quarantine, { recursive: true });
    expect(told()).toEqual([]);
  });
});

describe('the doctor compares transcripts with the journal', () => {
  /** A journal with the first part of a session, whose transcript went on. */
  function withTranscript(records: number): { project: Project; file: string } {
    const project = openTestProject();
    const file = path.join(project.dir, 'd3165355-f445-4093-ae34-d89d2f2d29db.jsonl');
    const all = readFileSync(SESSION, 'utf8').split('\n').filter(Boolean);
    const part = (to: number) =>
      all
        .slice(0, to)
        .map((line) => `${line}\n`)
        .join('');
    writeFileSync(file, part(records));
    importInto(project, file);
    writeFileSync(file, part(all.length));
    const yesterday = new Date(Date.now() - DAY_MS);
    utimesSync(file, yesterday, yesterday);
    return { project, file };
  }

  it('finds nothing where everything was read', () => {
    expect(checkGaps(withTranscript(1000).project)).toMatchObject([
      { check: 'gaps', verdict: 'ok' },
    ]);
    expect(checkGaps(openTestProject())).toEqual([]);
  });

  it('counts what a transcript has and the journal has not, and changes nothing', () => {
    const { project, file } = withTranscript(80);
    const before = [...project.reader.entries()].length;
    const [found] = checkGaps(project);
    expect(found).toMatchObject({
      check: 'gaps',
      verdict: 'warn',
      mend: `Run: ben10 import ${file}`,
    });
    const behind = Number(/: (\d+)$/.exec(found!.what)![1]);
    expect([...project.reader.entries()].length).toBe(before);
    const [done] = importInto(project, file);
    expect(done!.added).toBe(behind);
    expect(checkGaps(project)).toMatchObject([{ verdict: 'ok' }]);
  });

  it('looks at every session where the journal is damaged, not only at the last', () => {
    const { project, file } = withTranscript(1000);
    const segment = project.reader.segments()[0]!.path;
    const lost = readFileSync(segment).length >> 1;
    const later = Array.from({ length: SESSIONS_COMPARED }, (_, n) => {
      const record = {
        type: 'user',
        uuid: 'u',
        sessionId: `later-${n}`,
        message: { content: 'Hi.' },
      };
      const other = path.join(project.dir, `later-${n}.jsonl`);
      writeFileSync(other, `${JSON.stringify(record)}\n`);
      return other;
    });
    importInto(project, ...later);
    expect(checkGaps(project)).toMatchObject([
      { what: expect.stringContaining('compared with transcripts: 5') },
    ]);
    const bytes = readFileSync(segment);
    bytes[lost]! ^= 1;
    writeFileSync(segment, bytes);
    expect(checkGaps(project)).toMatchObject([
      { verdict: 'warn', mend: `Run: ben10 import ${file}` },
    ]);
  });

  it('compares the transcripts of sub-agents, too', () => {
    const { project, file } = withTranscript(1000);
    const own = path.join(file.replace(/\.jsonl$/, ''), 'subagents', 'agent-a1.jsonl');
    mkdirSync(path.dirname(own), { recursive: true });
    const message = { id: 'm1', content: [{ type: 'text', text: 'Found it.' }] };
    const session = path.basename(file, '.jsonl');
    const record = { type: 'assistant', uuid: 'u1', sessionId: session, agentId: 'a1', message };
    writeFileSync(own, `${JSON.stringify(record)}\n`);
    const yesterday = new Date(Date.now() - DAY_MS);
    utimesSync(own, yesterday, yesterday);
    const [found, ...more] = checkGaps(project);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ verdict: 'warn', mend: `Run: ben10 import ${own}` });
    expect(found!.what).toContain('facts of a sub-agent of session');
  });

  it('leaves a session alone whose turn may still be going on', () => {
    const { project, file } = withTranscript(80);
    utimesSync(file, new Date(), new Date());
    expect(checkGaps(project)).toMatchObject([
      { verdict: 'ok', what: expect.stringContaining('compared when they end: 1') },
    ]);
  });

  describe.each([true, false])(
    'where the newest segment is lost, with what was synced: %s',
    (isSynced) => {
      /** A journal whose second segment held all but the beginning of a session. */
      function losing(lose: (segment: string) => void) {
        const { project, file } = withTranscript(60);
        const { reader, writer } = project;
        writer.rotate(0);
        importInto(project, file);
        project.close();
        const segment = reader.segments().at(-1)!.path;
        if (!isSynced) {
          // Nothing else tells that there was more.
          rmSync(path.join(path.dirname(segment), 'synced'));
          rmSync(project.layout.checkpoints, { recursive: true });
        }
        lose(segment);
        return { file, again: openTestProject(project.dir) };
      }
      const gapOf = (project: Project, file: string, at: number) => {
        utimesSync(file, new Date(at), new Date(at));
        return checkGaps(project);
      };
      const missing = /^facts of session d3165355 that only its transcript has: 28/;

      it('counts what it held, also while a turn may be going on', () => {
        const { again, file } = losing((segment) => writeFileSync(segment, Buffer.alloc(500)));
        for (const age of [0, DAY_MS])
          expect(gapOf(again, file, Date.now() - age)).toMatchObject([
            { verdict: 'warn', what: expect.stringMatching(missing) },
          ]);
        expect(gapOf(again, file, Date.now())[0]!.what).toContain('may belong to a running turn');
        expect(gapOf(again, file, Date.now() - DAY_MS)[0]!.what).not.toContain('running');
      });

      it('does not say that all is there where the file is gone', () => {
        const { again, file } = losing((segment) => rmSync(segment));
        expect(gapOf(again, file, Date.now() - DAY_MS)).toMatchObject([{ verdict: 'warn' }]);
        const [now] = gapOf(again, file, Date.now());
        if (isSynced) expect(now).toMatchObject({ verdict: 'warn' });
        else expect(now).toMatchObject({ verdict: 'ok', what: expect.stringMatching(/as far as/) });
      });

      it('counts it behind what was recorded since, until the transcript was read again', () => {
        const { again, file } = losing((segment) => writeFileSync(segment, Buffer.alloc(500)));
        again.writer.append([prompt('since')]);
        expect(gapOf(again, file, Date.now())).toMatchObject([
          { verdict: 'warn', what: expect.stringMatching(missing) },
        ]);
        importInto(again, file);
        expect(gapOf(again, file, Date.now())).toMatchObject([
          { verdict: 'ok', what: expect.stringMatching(/^nothing is missing; /) },
        ]);
      });
    },
  );

  it('tells of what was lost at the end by a state that was stored of it, while a turn may be going on', () => {
    const { project, file } = withTranscript(60);
    const { reader, writer } = project;
    writer.rotate(0);
    importInto(project, file);
    save(project, { name: 'kept' });
    project.close();
    const segment = reader.segments().at(-1)!.path;
    rmSync(path.join(path.dirname(segment), 'synced'));
    rmSync(segment);
    utimesSync(file, new Date(), new Date());
    expect(checkGaps(openTestProject(project.dir))).toMatchObject([{ verdict: 'warn' }]);
  });

  it('tells sessions from before ben10 from those that it missed', () => {
    const project = recorded();
    const clientDir = path.join(project.dir, 'client');
    expect(checkUnknownSessions(project, clientDir)).toEqual([]);
    const folder = path.join(clientDir, 'projects', project.dir.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'aaaa.jsonl');
    copyFileSync(SESSION, file);
    const yesterday = new Date(Date.now() - DAY_MS);
    utimesSync(file, yesterday, yesterday);
    expect(checkUnknownSessions(project, clientDir)).toMatchObject([
      { verdict: 'ok', what: expect.stringContaining(`ben10 import ${folder}`) },
    ]);
    const tomorrow = new Date(Date.now() + DAY_MS);
    utimesSync(file, tomorrow, tomorrow);
    expect(checkUnknownSessions(project, clientDir)).toMatchObject([
      { check: 'gaps', verdict: 'warn', mend: `Run: ben10 import ${folder}` },
    ]);
  });
});

describe('the doctor looks at the configuration', () => {
  const look = ({ dir }: Project) => checkSettings(dir, {}, path.join(dir, 'home'));
  const configured = (text: string): Project => {
    const project = recorded();
    writeFileSync(path.join(project.root, 'config.yaml'), text);
    return project;
  };
  const compile = ({ dir, root }: Project) =>
    writeHookConfig(
      root,
      compileHookConfig(loadConfig({ projectDir: dir, env: {}, home: path.join(dir, 'home') })),
    );

  it('finds it in order when it can be read and hooks have it', () => {
    const project = configured('recall:\n  maxChars: 4000\n');
    compile(project);
    expect(look(project).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  });

  it('finds that hooks do not have it, or an older one', () => {
    const project = configured('recall:\n  maxChars: 4000\n');
    expect(look(project)[1]).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('no compiled'),
    });
    compile(project);
    writeFileSync(path.join(project.root, 'config.yaml'), 'recall:\n  maxChars: 5000\n');
    expect(look(project)[1]).toMatchObject({
      verdict: 'warn',
      what: expect.stringContaining('was changed'),
    });
  });

  it('names variables that look like settings and are none', () => {
    const project = configured('recall:\n  maxChars: 4000\n');
    compile(project);
    const env = {
      BEN10_RECALL_MAXCHARS: '1000',
      BEN10_RECALL_MAX_CHARS: '4000',
      BEN10_DEBUG: '1',
      BEN1: 'x',
    };
    const found = checkSettings(project.dir, env, path.join(project.dir, 'home'));
    expect(found.slice(2)).toEqual([
      {
        check: 'environment',
        verdict: 'warn',
        what: 'BEN10_RECALL_MAXCHARS is not a setting of ben10',
        mend: expect.stringContaining('BEN10_RECALL_MAX_CHARS'),
      },
    ]);
  });

  it('names the redaction rules that are left out, without quoting them', () => {
    const project = configured(
      [
        'redaction:',
        '  patterns:',
        '    - { id: FINE, pattern: "token-[0-9]{8}" }',
        '    - { id: SLOW, pattern: "(mine[a-z]+)+x" }',
        '  allow: ["not( a pattern"]',
        '',
      ].join('\n'),
    );
    compile(project);
    const home = path.join(project.dir, 'home');
    const found = redactionCheck.run({ project, env: {}, home, program: '' });
    expect(found).toMatchObject([
      {
        check: 'redaction',
        verdict: 'fail',
        what: expect.stringMatching(/^redaction\.patterns\[1\] hides nothing: ./),
      },
      {
        check: 'redaction',
        verdict: 'warn',
        what: expect.stringMatching(/^redaction\.allow\[0\]: .*only the text itself is allowed$/),
      },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/mine|a pattern"/);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INLINE_BYTES_MAX } from '../../../src/journal/append/blobs.ts';
import { spool } from '../../../src/journal/append/inbox.ts';
import { allKinds, secretPart } from '../../capture/redaction/corpus/generate.ts';
import { BASE62, chars, seeded } from '../../capture/redaction/samples.ts';
import { hooked, toolCall } from '../../hook/run-hook.ts';
import { prompt } from '../../log/events.ts';
import { folder, openTestProject, scratch } from '../../support.ts';
import { linkSegment, loseEvent, loseHeader } from '../damaged.ts';
import {
  cleanEnv,
  emptyProject,
  here,
  inMemory,
  lines,
  PROGRAM,
  recordedProject,
} from '../support.ts';

const random = seeded(31);
const token = () => `ghp_${chars(random, BASE62, 36)}`;

describe('ben10 scan', () => {
  it('says rule and place of each secret of a folder, never the secret, and ends with 1', async () => {
    const secret = token();
    const dir = folder({
      'a/b.env': `X=1\n  TOKEN=${secret}\n`,
      'a/c.txt': `😀 ${secret}`,
      'd.md': 'no',
    });
    const { code, stdout, stderr } = await inMemory(dir, ['scan', '.']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^a\/b\.env:2:9 {2}GITHUB-TOKEN {2}40 characters, #([0-9a-f]{8}), checksum wrong\na\/c\.txt:1:4 {2}GITHUB-TOKEN {2}40 characters, #\1, checksum wrong\n\n2 secrets by 1 rule\.\n$/,
    );
    expect(stdout + stderr).not.toContain(secret.slice(4, 12));
  });

  it('prints one JSON object a finding with --json, with the same keys always', async () => {
    const dir = folder({ 'x.txt': `a ${token()}\npassword=hunter2\n` });
    const result = await here(dir, ['scan', 'x.txt', '--json']);
    expect(result.status).toBe(1);
    const found = lines(result);
    expect(found.map(({ rule, line, column, length }) => [rule, line, column, length])).toEqual([
      ['GITHUB-TOKEN', 1, 3, 40],
      ['PASSWORD', 2, 10, 7],
    ]);
    for (const one of found)
      expect(Object.keys(one)).toEqual([
        'rule',
        'file',
        'line',
        'column',
        'length',
        'digest',
        'checksum',
      ]);
  });

  it('finds nothing in what `init` has written', async () => {
    const dir = folder({});
    expect((await here(dir, ['init'])).status).toBe(0);
    expect(readdirSync(path.join(dir, '.ben10'))).toContain('config.yaml');
    expect((await inMemory(dir, ['scan', '.'])).stdout).toBe('No secrets were found.\n');
  });

  it('ends with 0 when there is none, and with 2 when it was not told what, or what is not there', async () => {
    const dir = folder({ 'x.txt': 'nothing here' });
    expect(await inMemory(dir, ['scan', 'x.txt'])).toEqual({
      code: 0,
      stdout: 'No secrets were found.\n',
      stderr: '',
    });
    expect((await inMemory(dir, ['scan'])).code).toBe(2);
    const missing = await inMemory(dir, ['scan', 'y.txt']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no file or folder "y.txt"');
  });

  it('reads what is piped in', () => {
    const secret = token();
    const result = spawnSync(process.execPath, [PROGRAM, 'scan', '-'], {
      cwd: scratch(),
      env: cleanEnv('/nonexistent'),
      input: `+export TOKEN=${secret}\n`,
      encoding: 'utf8',
    });
    expect(result.status).toBe(1);
    expect(result.stdout).toMatch(/^-:1:15 {2}GITHUB-TOKEN/);
    expect(result.stdout + result.stderr).not.toContain(secret);
  });

  it('waits for whoever pipes in, and says when that is nobody', { tags: 'long' }, () => {
    const dir = folder({});
    const scan = (input: string) =>
      spawnSync('sh', ['-c', input, 'sh', process.execPath, PROGRAM], {
        cwd: dir,
        encoding: 'utf8',
        env: cleanEnv(dir),
      });
    const slow = scan('(sleep 0.4; echo "password=hunter2"; sleep 0.2) | "$1" "$2" scan -');
    expect([slow.status, slow.stderr]).toEqual([1, '']);
    expect(slow.stdout).toContain('-:1:10  PASSWORD');
    const nobody = scan('"$1" "$2" scan - < .');
    expect([nobody.status, nobody.stderr]).toEqual([1, '- cannot be read\n']);
  });

  it.skipIf(process.platform === 'win32')('refuses a pipe that is given by its name', async () => {
    const dir = folder({});
    spawnSync('mkfifo', [path.join(dir, 'pipe')]);
    symlinkSync(path.join(dir, 'pipe'), path.join(dir, 'link'));
    for (const given of ['pipe', 'link']) {
      const { code, stdout, stderr } = await inMemory(dir, ['scan', given]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`"${given}" is a pipe or a device, not a file or folder`);
    }
  });

  it('reads what PowerShell writes, and counts no mark of the order of bytes', async () => {
    const dir = folder({
      'a.env': Buffer.from('\ufeffX=1\r\npassword=hunter2\r\n', 'utf16le'),
      'b.env': '\ufeffpassword=hunter2\n',
      'c.env': Buffer.from('\ufeffpassword=hunter2\n', 'utf16le').swap16(),
    });
    const { stdout } = await inMemory(dir, ['scan', '.']);
    expect(stdout).toMatch(
      /^a\.env:2:10 {2}PASSWORD.*\nb\.env:1:10 {2}PASSWORD.*\nc\.env:1:10 {2}PASSWORD/,
    );
  });

  it('says what could not be read, and does not end as if nothing were in it', async () => {
    const dir = folder({ 'sound.txt': 'nothing' });
    // Deeper than is gone into.
    mkdirSync(path.join(dir, ...Array.from({ length: 257 }, () => 'd')), { recursive: true });
    const deep = Array.from({ length: 256 }, () => 'd').join('/');
    const { code, stdout, stderr } = await inMemory(dir, ['scan', '.']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `${deep} cannot be read\n`,
    });
    const asJson = await inMemory(dir, ['scan', '.', '--json']);
    expect(asJson.code).toBe(1);
    expect(lines(asJson)).toEqual([{ unreadable: { file: deep } }]);
    expect((await inMemory(dir, ['scan', 'sound.txt'])).code).toBe(0);
  });

  it('follows no link, and passes binary files over', async () => {
    const secret = token();
    const dir = folder({ 'in/bin': Buffer.from(`\0${secret}`), 'out/secret.txt': secret });
    symlinkSync(path.join(dir, 'out'), path.join(dir, 'in/link'));
    for (const [given, passed] of [
      ['in', '1 binary file, 1 link'],
      ['in/bin', '1 binary file'],
      ['in/link', '1 link'],
    ] as const)
      expect(await inMemory(dir, ['scan', given])).toEqual({
        code: 0,
        stdout: 'Nothing was searched.\n',
        stderr: `skipped: ${passed}\n`,
      });
    writeFileSync(path.join(dir, 'in/plain.txt'), '');
    const { stdout } = await inMemory(dir, ['scan', 'in']);
    expect(stdout).toBe('No secrets were found.\n');
  });

  it('takes the patterns and the allowed texts of the project', async () => {
    const dir = folder({
      '.ben10/config.yaml':
        'redaction:\n  patterns:\n    - id: badge\n      pattern: "B-[0-9]{6}"\n  allow:\n    - hunter2\n',
      'x.txt': 'B-123456 password=hunter2',
    });
    const { stdout } = await inMemory(dir, ['scan', 'x.txt']);
    expect(stdout).toMatch(/^x\.txt:1:1 {2}BADGE {2}8 characters/);
    expect(stdout).not.toContain('PASSWORD');
  });

  it('searches the journal, and ends by saying how to erase', async () => {
    const dir = recordedProject();
    expect((await here(dir, ['scan', '--journal'])).stdout).toContain('No secrets were found.');
    // What a ben10 of before these rules would have kept.
    writeFileSync(
      path.join(dir, '.ben10/config.yaml'),
      'redaction:\n  patterns:\n    - id: todo\n      pattern: "todo-app"\n',
    );
    const result = await here(dir, ['scan', '--journal', '--json']);
    expect(result.status).toBe(1);
    const [first] = lines<{ rule: string; seq: number }>(result);
    expect(Object.keys(first!)).toEqual([
      'rule',
      'seq',
      'id',
      'type',
      'path',
      'length',
      'digest',
      'checksum',
    ]);
    expect(first).toMatchObject({ rule: 'TODO', length: 8 });
    expect((await here(dir, ['scan', '--journal'])).stdout).toContain('ben10 erase --rule TODO');
  });

  it('says how to erase only what the journal holds, and not what a file beside it does', async () => {
    const dir = recordedProject();
    writeFileSync(path.join(dir, 'a.env'), `TOKEN=${token()}\n`);
    const inFile = (await here(dir, ['scan', '--journal', 'a.env'])).stdout;
    expect(inFile).toContain('1 secret by 1 rule.');
    expect(inFile).not.toContain('ben10 erase');
    writeFileSync(
      path.join(dir, '.ben10/config.yaml'),
      'redaction:\n  patterns:\n    - id: todo\n      pattern: "todo-app"\n',
    );
    expect((await here(dir, ['scan', '--journal', 'a.env'])).stdout).toContain(
      'ben10 erase --rule TODO',
    );
  });

  it('searches the ids that a client gave, too, which are as they were where nothing is hidden', async () => {
    const dir = emptyProject();
    const session = token();
    writeFileSync(path.join(dir, '.ben10/config.yaml'), 'context:\n  sensitiveRedaction: false\n');
    await hooked(dir, 'PreToolUse', { ...toolCall('t1'), session_id: session });
    const result = await here(dir, ['scan', '--journal', '--json']);
    expect(lines(result)).toMatchObject([{ rule: 'GITHUB-TOKEN', path: 'session', length: 40 }]);
    expect(result.stdout).not.toContain(session.slice(4, 12));
  });

  it('never says a secret of any rule, nor a part of it', async () => {
    const secrets: string[] = [];
    const text = allKinds()
      .filter(({ label }) => label === undefined)
      .map((kind) => {
        const secret = kind.make(random);
        secrets.push(secretPart(kind, secret));
        return secret;
      });
    const dir = folder({ 'all.txt': text.join('\n') });
    const { stdout, stderr } = await inMemory(dir, ['scan', 'all.txt']);
    for (const secret of secrets) {
      const middle = secret.length >> 1;
      expect((stdout + stderr).includes(secret.slice(middle - 5, middle + 5))).toBe(false);
    }
    expect(stdout.split('\n').length).toBeGreaterThan(secrets.length);
  });

  it('needs no journal for files, and one for --journal', async () => {
    const dir = folder({ 'x.txt': '' });
    expect((await inMemory(dir, ['scan', 'x.txt'])).code).toBe(0);
    expect((await inMemory(dir, ['scan', '--journal'])).stderr).toContain('CONTEXT_NOT_FOUND');
    const empty = emptyProject();
    openTestProject(empty);
    expect((await inMemory(empty, ['scan', '--journal'])).code).toBe(0);
  });

  it('searches what waits in the inbox, and blobs', async () => {
    const dir = emptyProject();
    const project = openTestProject(dir);
    project.writer.append([prompt('first')]);
    spool(project.ports, project.layout, [prompt('password=hunter2')]);
    const waiting = await inMemory(dir, ['scan', '--journal', '--json']);
    expect(lines({ stdout: waiting.stdout })).toMatchObject([{ rule: 'PASSWORD', seq: 0 }]);

    const output = `${'a line\n'.repeat(INLINE_BYTES_MAX / 7 + 1)}B-123456`;
    const outcome = { ...toolCall('toolu_1'), hook_event_name: 'PostToolUse' };
    await hooked(dir, 'PostToolUse', { ...outcome, tool_response: { stdout: output } });
    expect(readdirSync(path.join(dir, '.ben10/blobs'), { recursive: true })).not.toEqual([]);
    writeFileSync(
      path.join(dir, '.ben10/config.yaml'),
      'redaction:\n  patterns:\n    - id: badge\n      pattern: "B-[0-9]{6}"\n',
    );
    const { stdout } = await inMemory(dir, ['scan', '--journal', '--json']);
    expect(lines({ stdout }).map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['BADGE', 'PASSWORD']),
    );
  });

  it('says no secret in an error, either', async () => {
    const secret = token();
    const dir = folder({
      'x.txt': '',
      '.ben10/config.yaml': `redaction:\n  allow:\n    - "(${secret}"\n`,
    });
    for (const args of [
      ['scan', 'x.txt'],
      ['scan', 'x.txt', `--${'nothing'}`],
    ]) {
      const { stdout, stderr } = await inMemory(dir, args);
      expect(stdout + stderr).not.toContain(secret.slice(8, 20));
    }
  });

  it('says no secret that a file or its folder is named by', async () => {
    const secret = `ghp_${chars(seeded(32), BASE62, 36)}`;
    const dir = folder({ [`${secret}/${secret}.env`]: 'password=hunter2\n' });
    for (const more of [[], ['--json']]) {
      const { stdout, stderr, code } = await inMemory(dir, ['scan', '.', ...more]);
      expect(code).toBe(1);
      expect(stdout).toContain('[REDACTED:GITHUB-TOKEN].env');
      expect(stdout + stderr).not.toContain(secret.slice(8, 20));
    }
  });

  it("says in an error nothing that the project's own patterns hide", async () => {
    const dir = folder({
      '.ben10/config.yaml':
        'redaction:\n  patterns:\n    - id: badge\n      pattern: "B-[0-9]{6}"\n',
    });
    for (const args of [
      ['scan', 'B-123456'],
      ['scan', 'no/B-123456', '--json'],
    ]) {
      const { stdout, stderr } = await inMemory(dir, args);
      expect(stdout + stderr).toContain('[REDACTED:BADGE]');
      expect(stdout + stderr).not.toContain('B-123456');
    }
  });

  it("asks secretlint's rules for a second opinion, which is listed apart and never quoted", async () => {
    // A mask for us, and a password for them.
    const masked = 'your-own-password';
    const url = `postgresql://app:${masked}@db.example.org/app`;
    const dir = folder({ 'a.env': `x\nDB=${url}\nTOKEN=${token()}\n` });
    const { code, stdout, stderr } = await inMemory(dir, ['scan', '.']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^a\.env:3:7 {2}GITHUB-TOKEN [^\n]*\n\nFound only by secretlint's rules:\na\.env:2:4 {2}DATABASE-CONNECTION-STRING {2}\d+ characters, #[0-9a-f]{8}\n\n1 secret by 1 rule\.\n$/,
    );
    expect(stdout + stderr).not.toContain(masked.slice(4));

    const only = folder({ 'a.env': `DB=${url}\n` });
    expect((await inMemory(only, ['scan', '.'])).code).toBe(0);
    const { stdout: json } = await inMemory(only, ['scan', '.', '--json']);
    expect(lines({ stdout: json })).toMatchObject([
      { rule: 'SECRETLINT-DATABASE-CONNECTION-STRING', line: 1 },
    ]);
  });

  it('does not say that nothing was found in a journal that it could not read, and ends with 1', async () => {
    const said = 'some events could not be read, in 0000000000000001.b10: run ben10 verify\n';
    for (const spoil of [loseHeader, linkSegment]) {
      const dir = recordedProject();
      spoil(dir);
      const scanned = await inMemory(dir, ['scan', '--journal']);
      expect(scanned).toEqual({ code: 1, stdout: '', stderr: said });
      const asJson = await inMemory(dir, ['scan', '--journal', '--json']);
      expect(asJson.code).toBe(1);
      expect(lines(asJson)).toEqual([
        { unreadable: { events: null, segments: ['0000000000000001.b10'] } },
      ]);
    }
    const one = recordedProject();
    loseEvent(one);
    expect(await inMemory(one, ['scan', '--journal'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('1 event could not be read'),
    });
  });

  it('says so, too, of a large text that is missing beside the journal', async () => {
    const dir = emptyProject();
    const tool_response = { stdout: 'a line\n'.repeat(INLINE_BYTES_MAX / 7 + 1) };
    const outcome = { ...toolCall('toolu_1'), hook_event_name: 'PostToolUse' };
    await hooked(dir, 'PostToolUse', { ...outcome, tool_response });
    expect((await inMemory(dir, ['scan', '--journal'])).code).toBe(0);
    const blobs = path.join(dir, '.ben10/blobs');
    for (const name of readdirSync(blobs)) rmSync(path.join(blobs, name), { recursive: true });
    const { code, stdout, stderr } = await inMemory(dir, ['scan', '--journal']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^1 event could not be read, in blobs\/[0-9a-f]+: run ben10 verify\n$/);
  });

  it('takes files of any name, and shows no more of it than a terminal may have', async () => {
    const secret = token();
    const dir = folder({ 'a\nb.txt': 'fine\n', 'c\x1b[2J\n||d.txt': `TOKEN=${secret}\n` });
    const { status, stdout, stderr } = await here(dir, ['scan', '.']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    expect(stdout.split('\n').filter((line) => line.includes('GITHUB-TOKEN'))).toHaveLength(1);
    expect(await here(folder({ 'a\nb.txt': 'fine\n' }), ['scan', '.'])).toMatchObject({
      status: 0,
      stdout: 'No secrets were found.\n',
      stderr: '',
    });
  });
});

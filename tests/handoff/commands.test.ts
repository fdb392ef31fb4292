import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { queryLog } from '../../src/log/query.ts';
import { ben10 } from '../cli/support.ts';
import { folder, openTestProject } from '../support.ts';
import { FILES, handedOff, prompted, tell } from './support.ts';

const run = (dir: string, ...args: string[]) => {
  const { status, stdout } = ben10(dir, [...args, '--json']);
  return { status, ...JSON.parse(stdout) };
};

describe('ben10 handoff and ben10 orient', { tags: 'long' }, () => {
  it('list it, show it also without its file, and what led there', () => {
    const { project, file } = handedOff();
    const { dir } = project;
    const name = path.basename(file, '.md');
    const { handoffs } = run(dir, 'handoff', 'list');
    expect(handoffs).toEqual([expect.objectContaining({ title: 'Context Checkpoint L2 at 86%' })]);
    const { text } = run(dir, 'handoff', 'show', name);
    expect(ben10(dir, ['handoff', 'show', file]).stdout).toBe(`${text.trimEnd()}\n`);
    const { events } = run(dir, 'handoff', 'show', '--before');
    const { begun: to } = handoffs[0];
    const log = [...queryLog(openTestProject(dir), { session: 's', to, limit: 20 })];
    expect(events.map((one: { seq: number }) => one.seq)).toEqual(log.map((one) => one.seq));
    expect(ben10(dir, ['handoff', 'show', 'nothing-like-it']).status).toBe(1);
  });

  it('verify exits with 1 where something holds no more, and orient leaves it out', () => {
    const { project, file } = handedOff();
    const { dir } = project;
    const whole = run(dir, 'handoff', 'verify');
    expect([whole.status, whole.holds, whole.counts.holds]).toEqual([0, true, whole.claims.length]);
    writeFileSync(path.join(dir, FILES[4]!), 'other\n');
    const { stdout, status } = ben10(dir, ['handoff', 'verify', file]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {2}changed C\d+ src\/part-4\.ts: outside of the agent$/m);
    const { text, nextSteps } = run(dir, 'orient');
    expect(nextSteps).toEqual(['Split the printer', 'Then mend the lint']);
    expect(text.length).toBeLessThanOrEqual(6000);
    expect(text).toContain('1. Split the printer\n2. Then mend the lint');
    expect(text).toMatch(/^- changed C\d+ src\/part-4\.ts: outside of the agent$/m);
    expect(text).toMatch(/^- src\/part-5\.ts: written \[C\d+ @\d+ seen\]$/m);
    expect(text).not.toMatch(/^- src\/part-4\.ts: written/m);
  });

  it('orient says plainly that there is none yet, so that no slash command fails', () => {
    const project = openTestProject(folder({}));
    tell(project, prompted('Hello.'));
    project.close();
    const none = run(project.dir, 'orient');
    expect(none).toMatchObject({ status: 0, nextSteps: [], handoff: null });
    expect(none.text).toMatch(/^There is no handoff .* yet\. To make one: ben10 handoff create$/);
    expect(ben10(project.dir, ['orient', 'nothing-like-it']).status).toBe(1);
  });

  it('a document of another journal is told to be one', () => {
    const { project, file } = handedOff();
    const name = path.relative(project.dir, file);
    const other = openTestProject(folder({ [name]: readFileSync(file) }));
    tell(other, prompted('Hello.'));
    other.close();
    const { status, counts, claims } = run(other.dir, 'handoff', 'verify', name);
    expect([status, counts['foreign journal']]).toEqual([1, claims.length]);
  });

  it('erased words leave the journal’s text, and the document that still has them is named', () => {
    const { project, file } = handedOff();
    const { dir } = project;
    project.close();
    const { stdout, status } = ben10(dir, ['erase', '--pattern', 'mend the lint', '--yes']);
    expect([status, stdout]).toEqual([
      expect.any(Number),
      expect.stringContaining(`${path.relative(dir, file)} contains it, too. It is yours`),
    ]);
    const { text } = run(dir, 'handoff', 'show');
    expect(text).not.toContain('mend the lint');
    expect(readFileSync(file, 'utf8')).toContain('mend the lint');
  });

  it('verify says that a checkpoint was erased, not that the journal is another one', () => {
    const { project, file } = handedOff();
    const { dir } = project;
    const { begun } = run(dir, 'handoff', 'list').handoffs[0];
    project.close();
    ben10(dir, ['erase', `@${begun}`, '--yes']);
    for (const asked of [[], [file]]) {
      const { status, counts, claims } = run(dir, 'handoff', 'verify', ...asked);
      expect([status, counts.erased]).toEqual([1, claims.length]);
    }
  });

  it('an event that is erased by its number takes its words out of the handoffs that quote it', () => {
    const { project, file } = handedOff();
    const { dir } = project;
    const [{ claims }] = [run(dir, 'handoff', 'verify')];
    const { claim } = claims.find((one: { claim: { kind: string } }) => one.claim.kind === 'rule');
    project.close();
    const { stdout } = ben10(dir, ['erase', `@${claim.seq}`, '--yes']);
    expect(stdout).toMatch(/files in\s+.claude.handoffs are yours/);
    const { text } = run(dir, 'handoff', 'show');
    expect(text).toContain(`- [REDACTED:ERASED] [C${claim.n} @${claim.seq} said]\n`);
    expect(text).toContain('Split the printer');
    // The document still has the words, as it was written.
    const { edited, counts } = run(dir, 'handoff', 'verify');
    expect([edited, counts.erased > 0, counts.false]).toEqual([[], true, 0]);
    writeFileSync(file, `${readFileSync(file, 'utf8')}one more line\n`);
    expect(run(dir, 'handoff', 'verify').edited).not.toEqual([]);
    const journal = path.join(dir, '.ben10/journal');
    const files = readdirSync(journal, { recursive: true, encoding: 'utf8' }).map((one) =>
      path.join(journal, one),
    );
    const held = files.filter(
      (one) => statSync(one).isFile() && readFileSync(one).includes('default exports'),
    );
    expect(held).toEqual([]);
  });
});

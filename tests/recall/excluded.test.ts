import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../src/platform/place.ts';
import { explainRecall, recallText } from '../../src/recall/recall.ts';
import { renderAccount } from '../../src/timetravel/account.ts';
import { replay, shownReplay, withoutExcludedFiles } from '../../src/timetravel/replay.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { workOf } from '../../src/workspace/collectors/work-state.ts';
import { recordedAt, worktreeAt } from '../../src/workspace/recorded.ts';
import { saveWork } from '../../src/workspace/work.ts';
import { ben10 } from '../cli/support.ts';
import { hooked } from '../hook/run-hook.ts';
import { openTestProject } from '../support.ts';
import { ran, saw, tell } from '../tell.ts';

const AT = Date.now() - 3_600_000;

/** A session that worked with files that are excluded, and with some that are not. */
function worked() {
  const project = openTestProject();
  const at = (n: number) => ({ at: AT + n * 1000 });
  const file = (name: string) => path.join(project.dir, name);
  const edit = (id: string, name: string, n: number) => {
    const input = { file_path: file(name), old_string: 'a', new_string: `name_${id}` };
    return ran(id, 'Edit', input, { response: { filePath: file(name) } }, at(n));
  };
  const bash = (id: string, command: string, stdout: string, n: number) =>
    ran(id, 'Bash', { command }, { response: { stdout } }, at(n));
  const cwd = project.dir;
  tell(
    project,
    saw('session.started', { source: 'startup', worktree: cwd, cwd } as never, at(0)),
    saw('prompt.submitted', { text: 'Never commit .env.local.', promptId: 'p1', cwd }, at(1)),
    ...edit('t1', '.env.local', 2),
    ...edit('t2', 'secrets/keys.ts', 3),
    ...edit('t3', 'src/app.ts', 4),
    ...bash('t4', 'cat .env.local | head -5', 'SECRET_PORT_4711: 4711 is the port', 5),
    ...bash('t5', 'cat secrets/keys.ts', 'number of rotated keys: 77123', 6),
    ...bash('t6', 'npm test > out.log', '# pass 12', 7),
    saw(
      'message.recorded',
      {
        role: 'assistant',
        kind: 'text',
        text: [
          'Decision: `.env.local` keeps the port 4711 because CI needs it.',
          'Found: secrets/keys.ts holds 77123 rotated keys.',
          'Decision: src/app.ts drops console.log because users see it.',
        ].join('\n'),
      },
      at(8),
    ),
    saw('prompt.submitted', { text: 'Build the page.', promptId: 'p2', cwd }, at(9)),
  );
  return project;
}

// No digits of a time or of a weight.
const HIDDEN = /SECRET_PORT|(?<![\d.])4711(?!\d)|name_t1|\.env\.local/;
const LATER = /(?<![\d.])77123(?!\d)|name_t2|keys\.ts/;
/** The user's own words about such a file are no content of it. */
const RULE = 'Never commit .env.local';
const withoutRule = (text: string): string => text.replaceAll(RULE, '');

/** The same journal by other settings. */
const reopened = (dir: string, excludePatterns: string[]) =>
  openTestProject(dir, { excludePatterns });

describe('what is excluded', () => {
  it('is not given back: files, what was said of them and looks into them; the user’s words are', () => {
    const project = worked();
    for (const source of ['compact', 'startup'] as const) {
      const session = source === 'compact' ? 's' : 'other';
      const { text, considered } = explainRecall(project, { source, session });
      const all = `${text}\n${considered.map(({ item }) => JSON.stringify(item)).join('\n')}`;
      expect(text).toContain(RULE);
      expect(withoutRule(all)).not.toMatch(HIDDEN);
      expect(text).toMatch(/src\/app\.ts edited/);
      expect(text).toContain('drops console.log because users see it');
      expect(text).toContain('npm test > out.log');
    }
  });

  it('holds from the moment on at which it is set', () => {
    const { dir } = worked();
    const later = reopened(dir, ['.env*', 'secrets/**']);
    const given = (project: typeof later) =>
      recallText(project, { source: 'compact', session: 's' }).text;
    expect(given(openTestProject(dir))).toMatch(LATER);
    expect(given(later)).not.toMatch(LATER);
    expect(given(later)).toContain('src/app.ts');
  });

  it('is neither in a restore nor in what a replay shows', () => {
    const { dir } = worked();
    const later = reopened(dir, ['.env*', 'secrets/**']);
    for (const mode of ['full', 'summary'] as const) {
      const { text } = restore(later, { mode, session: 's' });
      expect(withoutRule(text)).not.toMatch(HIDDEN);
      expect(text).not.toMatch(LATER);
      expect(text).toContain('src/app.ts');
    }
    for (const projection of ['context', 'files'] as const) {
      const shown = JSON.stringify(shownReplay(later, replay(later, { projection })));
      expect(shown).not.toMatch(/name_t|77123|"[^"]*\.env\.local"/);
      expect(shown).toContain('src/app.ts');
    }
    const account = renderAccount(withoutExcludedFiles(replay(later), later.excludedBy));
    expect(account).not.toMatch(LATER);
  });

  it('is no working file: neither saved, nor in saved work of before, nor in the development context', async () => {
    const { dir } = worked();
    // Recorded when nothing was excluded.
    const open = reopened(dir, []);
    const workingFiles = ['.env.local', 'secrets/keys.ts', 'src/app.ts'];
    saveWork(open, { trigger: 'manual', taskSummary: 'The page', workingFiles, source: 'cli' });
    const project = openTestProject(dir);
    const place = placeOf(dir);
    expect(worktreeAt(project, place)!.work!.workingFiles).toEqual(workingFiles.slice(1));
    const recorded = recordedAt(project, place);
    const [work] = workOf({ dir, recorded, clean: (text: string) => text });
    expect(work!.files).toContain('src/app.ts');
    expect(work!.files).not.toContain('.env.local');
    const saved = saveWork(project, { trigger: 'manual', workingFiles, source: 'cli' });
    expect(saved!.workingFiles).toEqual(workingFiles.slice(1));
    mkdirSync(path.join(dir, '.ben10'), { recursive: true });
    const excluded = 'context:\n  excludePatterns: [".env*", "secrets/**"]\n';
    writeFileSync(path.join(dir, '.ben10/config.yaml'), excluded);
    const outputs = [
      ben10(dir, ['work', 'show']).stdout,
      ben10(dir, ['context', '--level', 'full']).stdout,
      ben10(dir, ['recall']).stdout,
      await hooked(dir, 'SessionStart', { source: 'startup', session_id: 'new' }),
    ];
    for (const output of outputs) {
      expect(output).toContain('src/app.ts');
      expect(output).not.toMatch(LATER);
      expect(withoutRule(output)).not.toMatch(HIDDEN);
    }
  });
});

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'clipanion';
import { examine } from '../../doctor/examine.ts';
import type { Finding, Verdict } from '../../platform/finding.ts';
import { homeOrTop } from '../../platform/home.ts';
import { CHECKS } from '../../project/features.ts';
import { LOCK_BUDGET_MS, openProject } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { projectOrHere } from '../open.ts';
import { plural } from '../ui/format.ts';
import { wrap } from '../ui/wrap.ts';

const MARKS: Record<Verdict, string> = { ok: '✓', warn: '!', fail: '✗' };
const CHECK_WIDTH = 15;
const WIDTH_DEFAULT = 80;
const WIDTH_MAX = 110;

export class DoctorCommand extends Ben10Command {
  static override paths = [['doctor']];
  static override exits = {
    0: 'no problem was found, or only warnings',
    1: 'a problem was found; the output says how to fix it',
  };
  static override busy = 'checking the installation and the journal';
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Find problems, and say how to fix them.',
    details: `
      Checks Node, the disk, the permissions of .ben10, the configuration, the hooks and the MCP server in the client's
      settings, the newest part of the journal, its inbox, and the transcripts of the last sessions. Measures how long a
      hook takes. Changes nothing.
    `,
    examples: [
      ['Check everything', '$0 doctor'],
      ['Only problems', `$0 doctor --json | jq '.findings[] | select(.verdict != "ok")'`],
    ],
  });

  async execute() {
    const { cwd, env } = this.context;
    const program = realpathSync(path.join(__dirname, 'ben10.cjs'));
    const project = openProject(projectOrHere(cwd), {
      lockBudgetMs: LOCK_BUDGET_MS,
      refused: new Map(),
    });
    try {
      const home = env.HOME ?? homeOrTop();
      const result = examine({ project, env, home, program }, CHECKS);
      this.answer(result, () => this.#lines(result.findings));
      return result.ok ? EXIT.ok : EXIT.notSo;
    } finally {
      project.close();
    }
  }

  #lines(findings: readonly Finding[]): string[] {
    const { green, yellow, red, bold } = this.colours;
    const paint = { ok: green, warn: yellow, fail: red };
    const width = Math.min(Number.isFinite(this.width) ? this.width : WIDTH_DEFAULT, WIDTH_MAX);
    const indent = ' '.repeat(CHECK_WIDTH + 4);
    const lines = findings.flatMap(({ check, verdict, what, mend }) => {
      const head = `${paint[verdict](MARKS[verdict])} ${check.padEnd(CHECK_WIDTH)}`;
      const text = wrap(oneLine(what), width - indent.length, '').replaceAll('\n', `\n${indent}`);
      const next =
        mend &&
        wrap(`→ ${oneLine(mend)}`, width - indent.length - 2).replaceAll('\n', `\n${indent}  `);
      return [`${head}  ${text}`, ...(next ? [`${indent}${next}`] : [])];
    });
    const failed = findings.filter(({ verdict }) => verdict === 'fail').length;
    const warned = findings.filter(({ verdict }) => verdict === 'warn').length;
    const parts = [
      ...(failed > 0 ? [red(plural(failed, 'problem'))] : []),
      ...(warned > 0 ? [yellow(plural(warned, 'warning'))] : []),
    ];
    return [
      ...lines,
      '',
      bold(parts.length === 0 ? green('No problems.') : `${parts.join(', ')}.`),
    ];
  }
}

import path from 'node:path';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import {
  type EventReport,
  inspectSetup,
  type SettingsReport,
  type SetupReport,
} from './inspect.ts';
import { type FoundProgram, findProgram } from './programs.ts';

/** What the client's settings say of ben10, and which ben10 they start. */
export const setupCheck: Check = {
  name: 'hooks',
  isInside: false,
  run({ project, env, home, program }) {
    const report = inspectSetup(project.dir, env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'));
    const programs = report.programs.map((name) => findProgram(name, env.PATH ?? ''));
    return [...checkInstallation(report), ...checkPrograms(programs, program)];
  },
};

/** What the client's settings say of ben10. */
export function checkInstallation(report: SetupReport): Finding[] {
  return [
    ...report.settings.flatMap(checkSettingsFile),
    ...checkHooks(report.events),
    checkServer(report),
    ...checkRecordTool(report),
    checkIgnored(report),
  ];
}

function checkSettingsFile({
  file,
  problem,
  disablesAllHooks,
  disablesServer,
}: SettingsReport): Finding[] {
  if (problem !== undefined) {
    const { line, column } = problem.place;
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    return [fail('settings', `${place}: ${problem.message}`, problem.next ?? 'Correct it')];
  }
  return [
    ...(disablesAllHooks
      ? [fail('settings', `${file} switches all hooks off`, 'Take "disableAllHooks" out of it')]
      : []),
    ...(disablesServer
      ? [
          warn(
            'settings',
            `${file} keeps ben10's server from starting`,
            'Take "ben10" out of "disabledMcpjsonServers"',
          ),
        ]
      : []),
  ];
}

function checkHooks(events: readonly EventReport[]): Finding[] {
  const names = (state: EventReport['state']) =>
    events.filter((one) => one.state === state).map(({ event }) => event);
  const missing = names('missing');
  if (missing.length === events.length) {
    return [
      fail('hooks', "ben10's hooks are not installed: nothing is recorded", 'Run: ben10 init'),
    ];
  }
  const entries = events.flatMap((one) => one.entries);
  const endless = events.filter((one) => one.entries.some(({ timeout }) => timeout === undefined));
  const findings = [
    ...(missing.length === 0
      ? []
      : [fail('hooks', `not installed: ${missing.join(', ')}`, 'Run: ben10 init')]),
    ...narrowed(events),
    ...names('twice').map((event) =>
      warn(
        'hooks',
        `${event} is installed twice, in ${filesOf(events, event)}`,
        'Keep one of the two',
      ),
    ),
    ...(endless.length === 0
      ? []
      : [
          warn(
            'hooks',
            `without a timeout: ${endless.map(({ event }) => event).join(', ')}`,
            'Run: ben10 init',
          ),
        ]),
  ];
  if (findings.length > 0) return findings;
  const files = [...new Set(entries.map(({ file }) => file))];
  return [ok('hooks', `all ${events.length} are installed in ${files.join(', ')}`)];
}

function narrowed(events: readonly EventReport[]): Finding[] {
  return events
    .filter(({ state }) => state === 'narrowed')
    .map(({ event, entries }) => {
      const only = entries.map(({ narrowedTo }) => `"${narrowedTo}"`).join(', ');
      return warn(
        'hooks',
        `${event} runs only for ${only}`,
        'Remove its matcher, or run: ben10 init',
      );
    });
}

const filesOf = (events: readonly EventReport[], event: string): string => {
  const found = events.find((one) => one.event === event);
  return [...new Set(found?.entries.map(({ file }) => file))].join(' and ');
};

function checkServer({ server, events }: SetupReport): Finding {
  if (server.state === 'present') return ok('server', `it is in ${server.file}`);
  if (server.problem !== undefined) {
    return fail(
      'server',
      `${server.file}: ${server.problem.message}`,
      server.problem.next ?? 'Correct it',
    );
  }
  if (server.state === 'foreign') {
    const what = `the server "ben10" in ${server.file} is another one than ben10's`;
    return fail('server', what, 'Give it another name, then run: ben10 init');
  }
  const needed = events.some(({ entries }) => entries.some(({ carrier }) => carrier === 'mcp'));
  const what = `ben10's server is not in ${server.file}`;
  return needed
    ? fail('server', `${what}, and hooks call it: tool calls are recorded late`, 'Run: ben10 init')
    : warn('server', `${what}: the model cannot ask for its past`, 'Run: ben10 init');
}

function checkRecordTool({ server, recordToolHidden }: SetupReport): Finding[] {
  if (server.state !== 'present' || recordToolHidden) return [];
  const what =
    'the model can see the tool that is meant for hooks alone, and pays for it with every request';
  return [warn('record tool', what, 'Run: ben10 init')];
}

function checkIgnored({ gitignore }: SetupReport): Finding {
  if (gitignore === 'allowed') {
    const what = '.gitignore takes .ben10 in: what was recorded can get into the repository';
    return warn('git', what, 'Take that line out, unless you want it so');
  }
  return ok('git', '.ben10 stays out of git');
}

/**
 * Whether what the settings start is there, and is the ben10 that is asked.
 * @param own the real path of the program that is running
 */
export function checkPrograms(programs: readonly FoundProgram[], own: string): Finding[] {
  const missing = programs.filter(({ real }) => real === undefined);
  const others = programs.filter(({ real }) => real !== undefined && real !== own);
  const copies = new Set(programs.flatMap(({ real }) => real ?? []));
  if (programs.length === 0) return [];
  const findings = [
    ...missing.map(({ name }) =>
      name === 'ben10'
        ? fail(
            'program',
            'the settings start "ben10", which is not on PATH',
            'Run: npm install -g ben10',
          )
        : fail(
            'program',
            `the settings start ${name}, which is not there`,
            'Run: ben10 init --local',
          ),
    ),
    ...others.map(({ name, real }) =>
      warn(
        'program',
        `the settings start another copy of ben10 (${name === real ? name : `${name}, ${real}`}) than you asked (${own})`,
        'Use one of them: run its own ben10 init',
      ),
    ),
  ];
  if (copies.size > 1) {
    const list = [...copies].join(', ');
    findings.push(warn('program', `several copies write this journal: ${list}`, 'Run: ben10 init'));
  }
  return findings.length > 0 ? findings : [ok('program', `the settings start ${own}`)];
}

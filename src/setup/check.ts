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

const INIT = 'Run: ben10 init';

export const setupCheck: Check = {
  name: 'hooks',
  isInside: false,
  run({ project, env, home, program }) {
    const report = inspectSetup(project.dir, env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'));
    const programs = report.programs.map((name) => findProgram(name, env.PATH ?? ''));
    return [...checkInstallation(report), ...checkPrograms(programs, program)];
  },
};

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
  const findings: Finding[] = [];
  if (disablesAllHooks)
    findings.push(fail('settings', `${file} disables all hooks`, 'Remove "disableAllHooks"'));
  if (disablesServer) {
    const mend = 'Remove "ben10" from "disabledMcpjsonServers"';
    findings.push(warn('settings', `${file} disables ben10's MCP server`, mend));
  }
  return findings;
}

function checkHooks(events: readonly EventReport[]): Finding[] {
  const names = (state: EventReport['state']) =>
    events.filter((one) => one.state === state).map(({ event }) => event);
  const missing = names('missing');
  if (missing.length === events.length)
    return [fail('hooks', 'not installed: nothing is recorded', INIT)];
  const endless = events.filter((one) => one.entries.some(({ timeout }) => timeout === undefined));
  const findings =
    missing.length === 0 ? [] : [fail('hooks', `missing: ${missing.join(', ')}`, INIT)];
  findings.push(...narrowed(events));
  for (const event of names('twice')) {
    const files = filesOf(events.filter((one) => one.event === event)).join(' and ');
    findings.push(warn('hooks', `${event} is installed twice, in ${files}`, 'Keep one of the two'));
  }
  if (endless.length > 0) {
    const which = endless.map(({ event }) => event).join(', ');
    findings.push(warn('hooks', `without a timeout: ${which}`, INIT));
  }
  if (findings.length > 0) return findings;
  const files = filesOf(events);
  return [ok('hooks', `all ${events.length} are installed in ${files.join(', ')}`)];
}

function narrowed(events: readonly EventReport[]): Finding[] {
  return events
    .filter(({ state }) => state === 'narrowed')
    .map(({ event, entries }) => {
      const only = entries.map(({ narrowedTo }) => `"${narrowedTo}"`).join(', ');
      const mend = 'Remove its matcher, or run: ben10 init';
      return warn('hooks', `${event} only runs for ${only}`, mend);
    });
}

const filesOf = (events: readonly EventReport[]): string[] => [
  ...new Set(events.flatMap(({ entries }) => entries.map(({ file }) => file))),
];

function checkServer({ server, events }: SetupReport): Finding {
  if (server.state === 'present') return ok('server', `it is in ${server.file}`);
  if (server.problem !== undefined) {
    const { message, next = 'Correct it' } = server.problem;
    return fail('server', `${server.file}: ${message}`, next);
  }
  if (server.state === 'foreign') {
    const what = `the server "ben10" in ${server.file} is not ben10's`;
    return fail('server', what, 'Rename it, then run: ben10 init');
  }
  const needed = events.some(({ entries }) => entries.some(({ carrier }) => carrier === 'mcp'));
  const what = `ben10's MCP server is not in ${server.file}`;
  return needed
    ? fail('server', `${what}, but hooks use it: tool calls are recorded late`, INIT)
    : warn('server', `${what}: the model cannot look up its past`, INIT);
}

function checkRecordTool({ server, recordToolHidden }: SetupReport): Finding[] {
  if (server.state !== 'present' || recordToolHidden) return [];
  const what = 'the model sees the tool ben10_record, which is for hooks and costs tokens';
  return [warn('record tool', what, INIT)];
}

function checkIgnored({ isInGit }: SetupReport): Finding {
  return isInGit
    ? warn('git', 'git does not ignore .ben10: the journal may be committed', INIT)
    : ok('git', '.ben10 stays out of git');
}

/** Whether the settings start this copy of ben10. @param own the real path of the running program */
export function checkPrograms(programs: readonly FoundProgram[], own: string): Finding[] {
  const missing = programs.filter(({ real }) => real === undefined);
  const others = programs.filter(({ real }) => real !== undefined && real !== own);
  const copies = new Set(programs.flatMap(({ real }) => real ?? []));
  if (programs.length === 0) return [];
  const findings = [
    ...missing.map(({ name }) => {
      const isOnPath = name === 'ben10';
      const what = isOnPath ? '"ben10", which is not on PATH' : `${name}, which does not exist`;
      const mend = isOnPath ? 'Run: npm install -g ben10' : 'Run: ben10 init --local';
      return fail('program', `the settings start ${what}`, mend);
    }),
    ...others.map(({ name, real }) => {
      const other = name === real ? name : `${name}, ${real}`;
      const what = `the settings start another copy of ben10 (${other}) than this one (${own})`;
      return warn('program', what, 'Decide for one of them, and run its ben10 init');
    }),
  ];
  if (copies.size > 1) {
    const list = [...copies].join(', ');
    findings.push(warn('program', `several copies write this journal: ${list}`, INIT));
  }
  return findings.length > 0 ? findings : [ok('program', `the settings start ${own}`)];
}

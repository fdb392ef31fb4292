import type { DevContext } from '../context.ts';
import {
  changesSection,
  containersSection,
  hintSection,
  list,
  one,
  table,
  workSection,
} from './parts.ts';
import type { Layout, Section } from './section.ts';
import { nameOf, row, statusOf, timeText } from './words.ts';

/** Everything: for setup and for finding faults. */
export function full(context: DevContext, now: number): Layout {
  return {
    title: '# Development Context (Full)',
    sections: [
      ...projectSection(context),
      ...workSection(context, now),
      hintSection('## AI Hints (Important)', context),
      targetsSection(context),
      containersSection(context),
      commandsSection(context, now),
      repositoriesSection(context),
      devicesSection(context),
      list(['script', 'scripts'], '## Scripts', context.scripts.map(scriptText), 35),
      list(
        ['dev server', 'dev servers'],
        '## Dev Servers',
        context.servers.map(({ port, program }) => `- :${port} (${program})`),
        42,
      ),
      list(
        ['tool', 'tools'],
        '## Tool Versions',
        context.tools.map(({ name, version }) => `- ${name} ${version}`),
        32,
      ),
      changesSection(context, now),
    ],
    foot: [],
    tokensMax: 1000,
  };
}

function projectSection({ project }: DevContext): Section[] {
  const { name, type, entryPoint } = project;
  const entries = [
    ...one(name, '- **Name:** ', 90),
    ...one(type, '- **Type:** ', 85),
    ...one(entryPoint, '- **Build:** ', 84),
  ];
  return [{ apart: true, head: ['## Project'], entries }];
}

function targetsSection({ targets }: DevContext): Section {
  const rows = targets.map(({ name, description, container, lunch, emulator, flash }) => {
    const can = [emulator ? 'emulator' : '', flash ? 'flash' : ''].filter(Boolean).join(', ');
    return row(name, can === '' ? description : `${description} [${can}]`, container, lunch);
  });
  return table(
    ['build target', 'build targets'],
    '## Available Build Targets',
    ['Target', 'Description', 'Container', 'Lunch Target'],
    rows,
    48,
  );
}

function commandsSection({ commands }: DevContext, now: number): Section {
  const rows = commands.map(({ at, command, outcome }) => {
    const told = outcome === '' ? '' : ` → ${outcome}`;
    return row(timeText(at, now), `${asCode(command)}${told}`);
  });
  // The newest are worth most, and stand last.
  const section = table(
    ['recent command', 'recent commands'],
    '## Recent Relevant Commands',
    ['Time', 'Command'],
    rows,
    46,
  );
  const entries = section.entries.map((entry, index, all) => ({
    ...entry,
    worth: 46 / (1 + (all.length - 1 - index) / 4),
  }));
  return { ...section, entries };
}

const repositoriesSection = ({ repositories }: DevContext): Section =>
  table(
    ['repository', 'repositories'],
    '## Git Status',
    ['Repository', 'Branch', 'Status', 'Last Commit'],
    repositories.map((one) => row(nameOf(one), one.branch, statusOf(one), one.commit)),
    60,
  );

const devicesSection = ({ devices }: DevContext): Section =>
  table(
    ['device', 'devices'],
    '## Connected Devices',
    ['Serial', 'State', 'Type'],
    devices.map(({ serial, state, type }) => row(serial, state, type)),
    52,
  );

const scriptText = ({ command, about }: DevContext['scripts'][number]): string =>
  about === '' ? `- ${asCode(command)}` : `- ${asCode(command)}: ${about}`;

/** A backtick would end it. */
const asCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

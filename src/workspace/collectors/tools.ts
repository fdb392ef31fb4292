import { existsSync } from 'node:fs';
import path from 'node:path';
import { isThere, until } from '../../platform/programs/run.ts';
import type { Tool } from '../context.ts';
import { partsOf } from '../things.ts';
import { type Around, COLLECTOR_MS, type Collector, ENDED_MS, type Unseen } from './collector.ts';

const VERSION_CHARS = 40;

interface Asked {
  name: string;
  program: string;
  args: string[];
  /** Files that show that the project uses it. */
  marks: string[];
}

/** Language tools; asked only where the project's files call for them. */
const TOOLS: readonly Asked[] = [
  { name: 'node', program: 'node', args: ['--version'], marks: ['package.json'] },
  {
    name: 'python',
    program: 'python3',
    args: ['--version'],
    marks: ['pyproject.toml', 'setup.py', 'requirements.txt'],
  },
  { name: 'rustc', program: 'rustc', args: ['--version'], marks: ['Cargo.toml'] },
  { name: 'go', program: 'go', args: ['version'], marks: ['go.mod'] },
  {
    name: 'java',
    program: 'java',
    args: ['--version'],
    marks: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
  },
  { name: 'ruby', program: 'ruby', args: ['--version'], marks: ['Gemfile'] },
  { name: 'php', program: 'php', args: ['--version'], marks: ['composer.json'] },
  { name: 'cmake', program: 'cmake', args: ['--version'], marks: ['CMakeLists.txt'] },
];

/** Versions of the project's language tools. */
export const tools: Collector<Tool & Unseen> = {
  timeoutMs: ENDED_MS,
  async collect(given) {
    const { run, isOver } = until(COLLECTOR_MS, given.run);
    const around = { ...given, run };
    const used = TOOLS.filter(({ marks }) =>
      marks.some((mark) => existsSync(path.join(around.dir, mark))),
    );
    const found = await Promise.all(used.map((one) => versionOf(around, one)));
    const told = found.filter((one) => one !== undefined);
    // A tool that starts slowly, as Java's may, is not gone, nor is one that fails.
    const isMute = ({ program }: Asked) => isOver() || isThere(program, around.env);
    const mute = used.filter((one, index) => found[index] === undefined && isMute(one));
    if (mute.length === 0) return told;
    const silent = new Set(mute.map(({ name }) => name));
    const known = partsOf(around.recorded().worktree?.things ?? []).tools;
    const all = [
      ...told,
      ...known
        .filter(({ name }) => silent.has(name))
        .map((one): Tool & Unseen => ({ ...one, unseen: true })),
    ];
    return all.length === 0 ? undefined : all;
  },
};

async function versionOf({ run, clean, dir }: Around, asked: Asked): Promise<Tool | undefined> {
  const text = await run(asked.program, asked.args, dir);
  const [version] = /\d+(?:\.\d+)+[\w.+-]*/.exec(text ?? '') ?? [];
  return version === undefined
    ? undefined
    : { name: asked.name, version: clean(version, VERSION_CHARS) };
}

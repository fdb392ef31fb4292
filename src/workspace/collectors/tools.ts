import { existsSync } from 'node:fs';
import path from 'node:path';
import { isThere, until } from '../../platform/programs/run.ts';
import type { Tool, Unseen } from '../context.ts';
import {
  type Around,
  COLLECTOR_MS,
  type Collector,
  ENDED_MS,
  lastLook,
  withUnseen,
} from './collector.ts';

const VERSION_CHARS = 40;

/** What builds and runs a language. */
interface Asked {
  name: string;
  program: string;
  args: string[];
  /** Files that show that the project uses it. */
  marks: string[];
}

const asked = (program: string, marks: string, name = program, arg = '--version'): Asked => ({
  name,
  program,
  args: [arg],
  marks: marks.split(' '),
});

/** Asked only where the project's files call for them. */
const TOOLS: readonly Asked[] = [
  asked('node', 'package.json'),
  asked('python3', 'pyproject.toml setup.py requirements.txt', 'python'),
  asked('rustc', 'Cargo.toml'),
  asked('go', 'go.mod', 'go', 'version'),
  asked('java', 'pom.xml build.gradle build.gradle.kts'),
  asked('ruby', 'Gemfile'),
  asked('php', 'composer.json'),
  asked('cmake', 'CMakeLists.txt'),
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
    return withUnseen(
      told,
      lastLook(around).tools.filter(({ name }) => silent.has(name)),
    );
  },
};

async function versionOf({ run, clean, dir }: Around, tool: Asked): Promise<Tool | undefined> {
  const text = await run(tool.program, tool.args, dir);
  const [version] = /\d+(?:\.\d+)+[\w.+-]*/.exec(text ?? '') ?? [];
  if (version === undefined) return undefined;
  return { name: tool.name, version: clean(version, VERSION_CHARS) };
}

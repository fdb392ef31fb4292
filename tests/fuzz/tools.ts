import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importTranscripts } from '../../src/capture/import.ts';
import type { ServerContext } from '../../src/mcp/context.ts';
import { encodeCursor, pageAsked } from '../../src/mcp/cursor.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { view } from '../../src/mcp/view.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { RESTORE_PARTS } from '../../src/timetravel/give.ts';
import { PROJECTIONS, replay, shownReplay } from '../../src/timetravel/replay.ts';
import { save } from '../../src/timetravel/saves.ts';
import type { Chance } from '../damage/chance.ts';
import { realPorts } from '../ports.ts';
import { mutated, mutatedJson } from './mutate.ts';
import type { Target } from './target.ts';

const TRANSCRIPT = path.resolve('tests/fixtures/transcripts/claude-v1.0.98-short.jsonl');

/** Those that only look; a restore notes that it was done, where it can. `ben10_replay` runs in slices, so its parts are called. */
const NAMES = ['ben10_log', 'ben10_diff', 'ben10_recall', 'ben10_lost', 'ben10_restore'];
const REPLAY = 'ben10_replay';
const LISTING = 'ben10_snapshot_list';

const POINTS = [
  ...['@1', '@-1', '@head', '@3', '@99999', '@prompt:-1', '@prompt:2', '@compaction:-1'],
  ...['@save:kept', '@checkpoint:-1', '@snapshot:ab', '@session:s:end', '@session:x:start'],
  ...[
    '@2026-11-21T10:00',
    '2026-11-21T10:00:00.000Z',
    '@10:00',
    '@2h',
    '2h',
    '3d',
    'now',
    '@1..@3',
  ],
];
const TEXTS = [
  'kept',
  's',
  'conversation.messages',
  'files.added',
  'state',
  '',
  '@',
  '*',
  '__proto__',
];
const NAMED: Record<string, readonly unknown[]> = {
  session: ['1af7fc5e-8455-4414-9ccd-011d40f70b2a', '1af7', 's'],
  name: ['kept', 'none'],
  path: ['conversation.messages', 'files', 'files.added', '__proto__'],
  types: [['tool.'], ['prompt.submitted'], ['nonsense']],
  order: ['newest', 'oldest'],
  detail: ['summary', 'data'],
  mode: ['summary', 'full', 'selective'],
  projection: Object.keys(PROJECTIONS),
  parts: [Object.keys(RESTORE_PARTS)],
  limit: [1, 3, 200],
  seq: [1, 7, 2 ** 40],
  budget: [200, 1000],
  maxChars: [1000, 6000],
  unified: [true],
  verbose: [true],
};

/** What a tool's schema lets through goes on to what reads points, times and cursors, and to a journal. */
export function toolTarget(): Target {
  let made: { project: Project; context: ServerContext } | undefined;
  const tools = PROFILES.core.tools.filter(({ name }) =>
    [...NAMES, REPLAY, LISTING].includes(name),
  );
  return {
    name: 'tool calls',
    share: 60,
    run: (chance) => {
      made ??= warmed(tools, recorded());
      const { project, context } = made;
      const tool = chance.pick(tools);
      const args = argumentsOf(tool, chance);
      return {
        bytes: JSON.stringify(args).length,
        outcome: () => codeOf(() => called(tool, args, project, context)),
      };
    },
  };
}

/** One to four arguments that the tool knows: as they should be, a little wrong, or of another kind altogether. */
function argumentsOf(tool: Tool, chance: Chance): Record<string, unknown> {
  const names = Object.keys(tool.input.shape);
  const args: Record<string, unknown> = {};
  for (let n = chance.between(1, 4); n > 0; n -= 1) {
    const name = chance.pick(names);
    args[name] = name === 'cursor' ? cursorOf(tool, chance) : likely(name, chance);
  }
  return args;
}

function likely(name: string, chance: Chance): unknown {
  const value = chance.pick(NAMED[name] ?? [...POINTS, ...TEXTS]);
  if (chance.below(4) > 0) return value;
  if (typeof value !== 'string') return mutatedJson(value, chance);
  return mutated(Buffer.from(value), chance).toString('utf8');
}

/** Half of them with a sum that is right, around arguments that need not be. */
function cursorOf(tool: Tool, chance: Chance): string {
  const inner = { point: likely('point', chance), path: likely('path', chance) };
  const kept = chance.coin() ? { point: inner.point } : inner;
  const text = encodeCursor(tool.name, kept, chance.pick([0, 1, 30, -1, 1e9, Number.NaN]));
  return chance.coin() ? text : mutated(Buffer.from(text), chance).toString('latin1');
}

function called(
  tool: Tool,
  args: Record<string, unknown>,
  project: Project,
  context: ServerContext,
): string {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return 'refused';
  if (tool.name !== REPLAY) {
    const answer = tool.run(parsed.data, context);
    if (answer instanceof Promise) throw new Error(`${tool.name} answers later`);
    return JSON.stringify(answer).length > 0 ? 'answered' : 'nothing';
  }
  const own = tool.input.omit({ cursor: true });
  const { args: asked, position } = pageAsked(REPLAY, own, parsed.data);
  const { path: part, ...options } = asked as Record<string, string>;
  const { state } = shownReplay(project, replay(project, options));
  JSON.stringify(view(state, part, position, 20_000));
  return 'answered';
}

/** Ages and nonces are others each time: what became of it is not. */
function codeOf(call: () => string): string {
  try {
    return call();
  } catch (error) {
    if (error instanceof Ben10Error) return error.code;
    throw error;
  }
}

/** What a server does once, when it is first asked, is not what one input takes. */
function warmed<M extends { project: Project; context: ServerContext }>(
  tools: readonly Tool[],
  made: M,
): M {
  for (const tool of tools) codeOf(() => called(tool, {}, made.project, made.context));
  return made;
}

/** A recorded session with a save, which nobody can write to any more. */
function recorded(): { project: Project; context: ServerContext } {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-fuzz-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  const open = openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock!, env: {} });
  const { ports, reader, states, recorder } = open;
  importTranscripts({ ports, reader, states, recorder, paths: [TRANSCRIPT] });
  save(open, { name: 'kept' });
  const refused = (): never => {
    throw new Ben10Error('FS_PERMISSION_DENIED', 'nothing is written here', { next: 'Read it.' });
  };
  const project = Object.create(open, {
    writer: { get: refused },
    recorder: { get: refused },
  }) as Project;
  const settings = loadConfig({ projectDir: dir, env: {} });
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const context = { project, settings, log, touched: silent } as unknown as ServerContext;
  return { project, context };
}

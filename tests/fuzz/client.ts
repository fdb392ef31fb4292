import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { observeHook } from '../../src/capture/claude/hooks.ts';
import { QueuedPrompts } from '../../src/capture/claude/queued-prompts.ts';
import {
  PromptCounts,
  type RecordContext,
  SideChains,
} from '../../src/capture/claude/record-context.ts';
import { observeRecord } from '../../src/capture/claude/records.ts';
import { preparePayload } from '../../src/capture/payload.ts';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { TranscriptFile } from '../../src/capture/transcript-file.ts';
import { parseInput } from '../../src/hook/input.ts';
import { hookInput } from '../../src/mcp/hook-input.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { MemoryFs } from '../damage/memory-fs.ts';
import { mutated, mutatedJson } from './mutate.ts';
import type { Target } from './target.ts';
import { toolTarget } from './tools.ts';

const FIXTURES = 'tests/fixtures';

/** What the client hands over: transcripts, hooks' input, tools' arguments. */
export const clientTargets = (): Target[] => [
  transcriptTarget(),
  hookTarget(),
  mcpTarget(),
  toolTarget(),
];

function samples(): string[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(FIXTURES, name))
    .filter((file) => statSync(file).size < 400_000)
    .sort();
}

const newContext = (): RecordContext => ({
  session: 's',
  agent: null,
  sideChains: new SideChains(),
  queue: new QueuedPrompts(),
  boundary: undefined,
  prompts: new PromptCounts(),
  latest: null,
  toolNames: new Map(),
});

/** Lines of real transcripts, in a file in which some of them are changed. */
function transcriptTarget(): Target {
  const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
  const lines = samples().flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
  const file = '/project/transcript.jsonl';
  fs.close(fs.open(file, 'wx'));
  return {
    name: 'transcript',
    share: 8,
    run: (chance) => {
      const some = Array.from({ length: chance.between(1, 6) }, () => {
        const line = chance.pick(lines).slice(0, 40_000);
        if (chance.below(3) === 0) return mutated(Buffer.from(line), chance).toString('latin1');
        return JSON.stringify(mutatedJson(parsed(line), chance)) ?? '';
      });
      const bytes = Buffer.from(some.join('\n') + (chance.coin() ? '\n' : ''));
      return {
        bytes: bytes.length,
        outcome: () => {
          fs.rot(file, bytes);
          const context = newContext();
          const transcript = TranscriptFile.open(fs, file)!;
          try {
            const found = [...transcript.lines(0, true)].map(
              ({ record, pos }) => record && observeRecord(record, pos, context),
            );
            return JSON.stringify(found).length;
          } finally {
            transcript.close();
          }
        },
      };
    },
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return { type: 'user', message: { content: line } };
  }
}

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PostToolBatch',
  'Nonsense',
];

/** A secret of a known kind, so that there is something to take out. */
const SECRET = 'DB_PASSWORD="Tr0ub4dor-and-3"';

const HOOK = {
  session_id: 's',
  transcript_path: '/nowhere/s.jsonl',
  cwd: '/',
  prompt_id: 'p',
  prompt: 'do it',
  source: 'startup',
  trigger: 'auto',
  reason: 'clear',
  agent_id: 'a',
  tool_name: 'Bash',
  tool_use_id: 't',
  tool_input: { command: 'ls', file_path: '/a', edits: [{ old_string: 'a', new_string: 'b' }] },
  tool_response: {
    stdout: `out ${SECRET}`,
    stderr: '',
    exitCode: 0,
    content: [{ type: 'text', text: 'x' }],
  },
  tool_calls: [{ tool_use_id: 't' }],
  compact_summary: 'what was done',
};

/** One in so many goes on to what takes secrets out and makes it fit to be kept: it takes many times as long. */
const KEPT_ONE_IN = 48;

function hookTarget(): Target {
  const { options } = compileRedaction(undefined);
  const kept = (data: unknown) => preparePayload(data, options, () => 'f'.repeat(64));
  return {
    name: 'hook input',
    share: 1,
    run: (chance) => {
      const event = chance.pick(EVENTS);
      const value = mutatedJson({ ...HOOK, hook_event_name: event }, chance);
      const text = Buffer.from(JSON.stringify(value) ?? 'null');
      const bytes = chance.below(4) === 0 ? mutated(text, chance) : text;
      const isKept = chance.below(KEPT_ONE_IN) === 0;
      return {
        bytes: bytes.length,
        outcome: () => {
          const seen = observeHook(event, parseInput(event, { bytes }), 1);
          return JSON.stringify(isKept ? kept(seen) : seen);
        },
      };
    },
  };
}

const ARGUMENTS = {
  types: ['tool.'],
  session: 's',
  since: '2h',
  after: '@1',
  upto: '@head',
  point: '@-1',
  from: '@1',
  to: '@head',
  limit: 3,
  seq: 1,
  cursor: 'abc',
  name: 'n',
  order: 'newest',
  detail: 'data',
  budget: 500,
  ...HOOK,
};

/** What a tool takes is checked by its schema; whatever else comes is refused, never thrown on. */
function mcpTarget(): Target {
  return {
    name: 'tool arguments',
    share: 1,
    run: (chance) => {
      const tool = chance.pick(PROFILES.core.tools);
      const value = mutatedJson(ARGUMENTS, chance);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return {
        bytes: JSON.stringify(value)?.length ?? 0,
        outcome: () => [
          tool.input.safeParse(value).success,
          isObject ? JSON.stringify(hookInput(value as Record<string, unknown>)) : null,
        ],
      };
    },
  };
}

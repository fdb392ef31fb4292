import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { observeHook } from '../../src/capture/claude/hooks.ts';
import {
  PromptCounts,
  type RecordContext,
  SideChains,
} from '../../src/capture/claude/record-context.ts';
import { observeRecord } from '../../src/capture/claude/records.ts';
import { TranscriptFile } from '../../src/capture/transcript-file.ts';
import { parseInput } from '../../src/hook/input.ts';
import { decodeContainer, encodeContainer } from '../../src/journal/container.ts';
import { CONTAINER, HINT, SEGMENT_FLAG } from '../../src/journal/format.ts';
import { readHint } from '../../src/journal/hint.ts';
import { readSpool, spool } from '../../src/journal/inbox.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { readManifest } from '../../src/journal/manifest.ts';
import { planRepair } from '../../src/journal/repair.ts';
import { hookInput } from '../../src/mcp/hook-input.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import type { Chance } from '../damage/chance.ts';
import { type Makers, ROOT, smallJournals, type TestJournal } from '../damage/corpus.ts';
import { look } from '../damage/oracle.ts';
import { decoders, newEvent } from '../faults/workloads.ts';
import {
  mendManifest,
  mendRaw,
  mendSealed,
  mendSpool,
  mendSumAt,
  mutated,
  mutatedJson,
} from './mutate.ts';

/** Something that is handed bytes or values from outside. */
export interface Target {
  name: string;
  /** Of so many inputs that the others get, it gets one: it takes as much longer. */
  share: number;
  /** It unpacks Zstd. Where Node has none, fzstd does, and goes on for seconds at lengths that lie: known, not mended. */
  unpacks?: boolean;
  /** One input and what became of it: the input's size, and something to compare a second run with. */
  run: (chance: Chance) => { bytes: number; outcome: () => unknown };
}

const layout = layoutOf(ROOT);
const FIXTURES = 'tests/fixtures';

export function targets(makers: Makers, chance: Chance): Target[] {
  const journals = smallJournals(makers);
  return [
    ...journals.filter(({ name }) => FUZZED.has(name)).map((one) => segmentTarget(one, makers)),
    ...filesBeside(journals[0]!, makers, chance),
    containerTarget(makers, chance),
    transcriptTarget(journals[0]!),
    hookTarget(),
    mcpTarget(),
  ];
}

/** Of the small journals; the others differ in what stands around the segment. */
const FUZZED = new Set([
  'raw, alone',
  'raw, between two',
  'sealed, alone',
  'sealed, between two',
  'raw, planted frames',
]);

/** Half of the time the sums are made to fit, so that what is behind them is reached. */
function segmentTarget(journal: TestJournal, { xxh64 }: Makers): Target {
  const sound = journal.fs.bytesOf(journal.target);
  const mend = journal.isSealed ? mendSealed : mendRaw;
  return {
    name: `segment, ${journal.name}`,
    share: 12,
    unpacks: journal.isSealed,
    run: (chance) => {
      const wrong = mutated(sound, chance);
      const bytes = chance.coin() ? mend(wrong, xxh64) : wrong;
      if (bytes.length > 16) bytes[12] = (bytes[12] ?? 0) & ~SEGMENT_FLAG.preallocated;
      const isPlanned = chance.below(8) === 0;
      return {
        bytes: bytes.length,
        outcome: () => {
          journal.fs.rot(journal.target, bytes);
          try {
            const { entries, damage, refused } = look(journal, decoders);
            const plan =
              isPlanned && refused === undefined ? planRepair(journal.ports, ROOT, decoders) : [];
            return [entries.length, damage, refused?.code, plan];
          } finally {
            journal.fs.rot(journal.target, sound);
          }
        },
      };
    },
  };
}

function filesBeside(journal: TestJournal, { xxh64 }: Makers, chance: Chance): Target[] {
  const { fs, ports } = journal;
  const events = [newEvent(chance, 'disk'), newEvent(chance, 'process', 300)];
  const name = `${layout.inbox}/${spool(ports, layout, events)}`;
  const hint = [...fs.image().files.keys()].find((one) => one.endsWith('/synced'))!;
  const of = (what: string, file: string, mend: typeof mendSpool, read: () => unknown): Target => {
    const sound = fs.bytesOf(file);
    return {
      name: what,
      share: 1,
      run: (source) => {
        const wrong = mutated(sound, source);
        const bytes = source.coin() ? mend(wrong, xxh64) : wrong;
        return {
          bytes: bytes.length,
          outcome: () => {
            fs.rot(file, bytes);
            try {
              return read();
            } finally {
              fs.rot(file, sound);
            }
          },
        };
      },
    };
  };
  return [
    of('inbox file', name, mendSpool, () => readSpool(ports, name)?.length),
    of('manifest', layout.manifest, mendManifest, () => readManifest(ports, layout)),
    of('hint', hint, mendSumAt(HINT.checksum), () => readHint(ports, hint)),
  ];
}

function containerTarget({ zstd, xxh64 }: Makers, chance: Chance): Target {
  const plain = Buffer.concat([chance.bytes(300), Buffer.from('again and again '.repeat(400))]);
  const sound = [
    encodeContainer(plain, xxh64),
    encodeContainer(plain, xxh64, { method: 'lz4', codec: lz4Codec, level: 0 }),
    encodeContainer(plain, xxh64, { method: 'zstd', codec: zstd, level: 3 }),
  ];
  return {
    name: 'container',
    share: 1,
    unpacks: true,
    run: (source) => {
      const wrong = mutated(source.pick(sound), source);
      const bytes = source.coin() ? mendSumAt(CONTAINER.checksum)(wrong, xxh64) : wrong;
      return {
        bytes: bytes.length,
        outcome: () => decodeContainer(bytes, decoders, xxh64)?.length,
      };
    },
  };
}

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
  boundary: undefined,
  prompts: new PromptCounts(),
  latest: null,
  toolNames: new Map(),
});

/** Lines of real transcripts, in a file in which some of them are changed. */
function transcriptTarget({ fs }: TestJournal): Target {
  const lines = samples().flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
  const file = '/project/transcript.jsonl';
  fs.close(fs.open(file, 'wx'));
  return {
    name: 'transcript',
    share: 4,
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
  tool_response: { stdout: 'out', stderr: '', exitCode: 0, content: [{ type: 'text', text: 'x' }] },
  tool_calls: [{ tool_use_id: 't' }],
  compact_summary: 'what was done',
};

function hookTarget(): Target {
  return {
    name: 'hook input',
    share: 1,
    run: (chance) => {
      const event = chance.pick(EVENTS);
      const value = mutatedJson({ ...HOOK, hook_event_name: event }, chance);
      const text = Buffer.from(JSON.stringify(value) ?? 'null');
      const bytes = chance.below(4) === 0 ? mutated(text, chance) : text;
      return {
        bytes: bytes.length,
        outcome: () => JSON.stringify(observeHook(event, parseInput(event, { bytes }), 1)),
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
      const tool = chance.pick(PROFILES.core);
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

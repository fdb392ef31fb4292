import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Sessions of strangers, and where their clients worked. */
export const RECORDED = [
  ['claude-v1.0.17-long-edit-session.jsonl', '/Users/chip/dev/ai-music'],
  ['claude-v1.0.108-sidechain-tasks.jsonl', '/path/to/Demo'],
  ['claude-2.1.329-real-todo-app/transcript.jsonl', '/home/dev/todo-app'],
  [
    'claude-2.1.39-auto-compact/258c7280-ae70-4798-800f-63464d01a85d.jsonl',
    '/home/USER/projects/spotter-worktrees/spotter-gqc',
  ],
] as const;

type Json = Record<string, unknown>;

/** A call of a tool that succeeded, as the client's transcript has it. */
export interface RecordedCall {
  id: string;
  tool: string;
  input: Json;
  /** The client's own structure. */
  result: Json;
  /** What the model saw. */
  said: string;
  isError: boolean;
}

interface Line {
  timestamp?: string;
  toolUseResult?: unknown;
  message?: { content?: unknown };
}

/** Reads transcripts with nothing of ben10's: calls in the order of their results. */
export function recordedCalls(...files: readonly string[]): RecordedCall[] {
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line),
  );
  const blocks = lines.flatMap((line) =>
    Array.isArray(line.message?.content)
      ? (line.message.content as Json[]).map((block) => ({ block, line }))
      : [],
  );
  const uses = new Map(
    blocks.flatMap(({ block }) => (block.type === 'tool_use' ? [[block.id, block] as const] : [])),
  );
  const all = blocks.filter(({ block }) => block.type === 'tool_result');
  // Some clients note a result twice, once without its structure.
  const told = new Set(
    all.flatMap(({ block, line }) => (line.toolUseResult === undefined ? [] : [block.tool_use_id])),
  );
  const results = all.filter(
    ({ block, line }) => line.toolUseResult !== undefined || !told.has(block.tool_use_id),
  );
  const inTime = results.toSorted((a, b) =>
    (a.line.timestamp ?? '').localeCompare(b.line.timestamp ?? ''),
  );
  const seen = new Set<unknown>();
  return inTime.flatMap(({ block, line: { toolUseResult } }): RecordedCall[] => {
    const use = uses.get(block.tool_use_id);
    if (use === undefined || seen.size === seen.add(block.tool_use_id).size) return [];
    const result =
      typeof toolUseResult === 'object' && toolUseResult !== null ? (toolUseResult as Json) : {};
    return [
      {
        id: String(block.tool_use_id),
        tool: String(use.name),
        input: use.input as Json,
        result,
        said: wordsOf(block.content),
        isError: block.is_error === true,
      },
    ];
  });
}

const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((one: Json) => String(one.text ?? '')).join('\n')
      : '';

export const fileOf = ({ input }: RecordedCall): string =>
  String(input.file_path ?? input.notebook_path);

const isText = (value: unknown): value is string => typeof value === 'string';

/** What each file has after these calls, by the client's own patches; undefined where no call told all of it. */
export function replayed(calls: readonly RecordedCall[]): Map<string, string | undefined> {
  const files = new Map<string, string | undefined>();
  for (const call of calls) {
    if (call.isError || !/^(?:Write|Edit|MultiEdit|Read|NotebookEdit)$/.test(call.tool)) continue;
    const file = fileOf(call);
    const before = files.get(file);
    if (call.tool === 'Write') files.set(file, String(call.input.content));
    else if (call.tool === 'Read') files.set(file, wholeRead(call) ?? before);
    else files.set(file, call.tool === 'NotebookEdit' ? undefined : patched(call, before));
  }
  return files;
}

function wholeRead({ result: { file } }: RecordedCall): string | undefined {
  const { content, startLine, numLines, totalLines } = (file ?? {}) as Json;
  return isText(content) && startLine === 1 && numLines === totalLines ? content : undefined;
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  lines: string[];
}

function patched({ result }: RecordedCall, before: string | undefined): string | undefined {
  const text = isText(result.originalFile) ? result.originalFile : before;
  if (text === undefined || result.userModified === true) return undefined;
  if (!Array.isArray(result.structuredPatch)) return undefined;
  const lines = text.split('\n');
  for (const { oldStart, oldLines, lines: told } of (result.structuredPatch as Hunk[]).toReversed())
    lines.splice(
      Math.max(0, oldStart - 1),
      oldLines,
      ...told.filter((line) => /^[ +]/.test(line)).map((line) => line.slice(1)),
    );
  return lines.join('\n');
}

/** Copies of transcripts, as if the client had worked in another folder. */
export function movedInto(dir: string, from: string, files: readonly string[]): string[] {
  const to = JSON.stringify(dir).slice(1, -1);
  return files.map((file, at) => {
    const copy = path.join(dir, `transcript-${at}.jsonl`);
    writeFileSync(copy, readFileSync(file, 'utf8').replaceAll(from, to));
    return copy;
  });
}

// Turns written as the client writes its transcript (records of 2.1.329), and as the hook inputs that it sends meanwhile.
import { createHash } from 'node:crypto';
import { CWD } from './world.mjs';

const START = Date.UTC(2026, 2, 2, 8);
const TURN_MS = 40_000;
const VERSION = '2.1.329';
const MODEL = 'claude-sonnet-4-5';

/** The same ids for the same session, turn and place. */
const hex = (...parts) => createHash('sha256').update(parts.join(':')).digest('hex');
function uuid(...parts) {
  const h = hex(...parts);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

export const sessionId = (name) => uuid('session', name);

/** Paths of generated turns are written from the project's folder; the client's file tools say them in full. */
const full = (file) => (file.startsWith('/') ? file : `${CWD}/${file}`);

function inputOf({ input }) {
  return input?.file_path === undefined ? input : { ...input, file_path: full(input.file_path) };
}

const failedText = ({ name, output, exit }) =>
  name === 'Bash' ? `Exit code ${exit}\n${output}` : output;

/** The tool's own answer, as the client keeps it beside the text. */
function responseOf(call) {
  const { name, output } = call;
  const input = inputOf(call);
  if (name === 'Bash') return { stdout: output, stderr: '', interrupted: false, isImage: false };
  if (name === 'Edit') {
    const { file_path: filePath, old_string: oldString, new_string: newString } = input;
    return {
      filePath,
      oldString,
      newString,
      originalFile: null,
      structuredPatch: [],
      userModified: false,
      replaceAll: false,
    };
  }
  if (name === 'Write')
    return {
      type: 'create',
      filePath: input.file_path,
      content: input.content,
      structuredPatch: [],
    };
  if (name !== 'Read') return output;
  const lines = output.split('\n').length;
  return {
    type: 'text',
    file: {
      filePath: input.file_path,
      content: output,
      numLines: lines,
      startLine: 1,
      totalLines: lines,
    },
  };
}

/**
 * @param name which session it is; the same name gives the same ids
 * @returns the transcript's records
 */
export function recordsOf(turns, name) {
  const session = sessionId(name);
  const records = [];
  let promptId = uuid(name, 'prompt', 0);
  let at = START;
  const add = (record) => {
    const parent = records.at(-1)?.uuid ?? null;
    at += 900;
    records.push({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      entrypoint: 'cli',
      cwd: CWD,
      sessionId: session,
      version: VERSION,
      gitBranch: 'main',
      ...record,
      uuid: uuid(name, 'record', records.length),
      timestamp: new Date(at).toISOString(),
    });
  };
  turns.forEach(({ prompt, say, calls = [] }, n) => {
    at = START + n * TURN_MS;
    if (prompt !== undefined) {
      promptId = uuid(name, 'prompt', n);
      add({ type: 'user', promptId, message: { role: 'user', content: prompt } });
    }
    const content = contentOf(name, n, say, calls);
    const id = `msg_${hex(name, 'message', n).slice(0, 24)}`;
    const stop = calls.length === 0 ? 'end_turn' : 'tool_use';
    for (const block of content) {
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: MODEL,
        content: [block],
        stop_reason: stop,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 20 },
      };
      add({ type: 'assistant', message });
    }
    calls.forEach((call, k) => {
      add(resultOf(call, toolId(name, n, k), promptId));
    });
  });
  return records;
}

const toolId = (name, n, k) => `toolu_${hex(name, 'tool', n, k).slice(0, 24)}`;

function contentOf(name, n, say, calls) {
  const uses = calls.map((call, k) => ({
    type: 'tool_use',
    id: toolId(name, n, k),
    name: call.name,
    input: inputOf(call),
  }));
  return [...(say === undefined ? [] : [{ type: 'text', text: say }]), ...uses];
}

function resultOf(call, id, promptId) {
  const failed = (call.exit ?? 0) !== 0;
  const text = failed ? failedText(call) : call.output;
  const block = {
    tool_use_id: id,
    type: 'tool_result',
    content: text,
    ...(failed && { is_error: true }),
  };
  const toolUseResult = failed ? `Error: ${text}` : responseOf(call);
  return { type: 'user', promptId, message: { role: 'user', content: [block] }, toolUseResult };
}

/** The same turns as hooks: what the client would have sent, in order. */
export function hooksOf(turns, name) {
  const stream = [{ name: 'SessionStart', input: { source: 'startup' } }];
  turns.forEach(({ prompt, say, calls = [] }, n) => {
    if (prompt !== undefined) {
      stream.push({
        name: 'UserPromptSubmit',
        input: { prompt, prompt_id: uuid(name, 'prompt', n) },
      });
    }
    calls.forEach((call, k) => {
      const use = {
        tool_name: call.name,
        tool_input: inputOf(call),
        tool_use_id: toolId(name, n, k),
      };
      stream.push({ name: 'PreToolUse', input: use });
      stream.push(
        (call.exit ?? 0) === 0
          ? { name: 'PostToolUse', input: { ...use, tool_response: responseOf(call) } }
          : { name: 'PostToolUseFailure', input: { ...use, error: failedText(call) } },
      );
    });
    const ends = turns[n + 1] === undefined || turns[n + 1].prompt !== undefined;
    if (ends)
      stream.push({
        name: 'Stop',
        input: { stop_hook_active: false, ...(say && { last_assistant_message: say }) },
      });
  });
  return stream;
}

import { linesOf } from './ask.mjs';

/** Of one fact, as much as somebody would still read. */
const TEXT_CHARS = 64 * 1024;
/** The whole file beside an edit of it: the client keeps it, nobody is shown it. */
const UNSEEN = new Set(['originalFile']);
const OWN_TOOL = /^mcp__(?:plugin_)?ben10/;
const OUTCOMES = new Set(['tool.succeeded', 'tool.failed']);

/**
 * The facts of a journal as the log tells them, a call and its outcome as one: prompts, answers, calls, summaries.
 * Independent of what the index makes of them.
 * @returns list of {kind, seqs, text, ...what queries are made of}
 */
export function factsOf({ ben10 }) {
  const facts = [];
  const calls = new Map();
  for (const { seq, type, session, data } of linesOf(ben10('log', '--json'))) {
    if (type === 'prompt.submitted') facts.push({ kind: 'prompt', seqs: [seq], text: data.text });
    if (type === 'message.recorded' && data.kind === 'text')
      facts.push({ kind: data.role === 'user' ? 'task' : 'answer', seqs: [seq], text: data.text });
    if (type === 'compaction.finished' && data.summary !== '')
      facts.push({ kind: 'summary', seqs: [seq], text: data.summary });
    if (type === 'tool.called' && !OWN_TOOL.test(data.name)) {
      const { name, input } = data;
      const fact = { kind: 'call', seqs: [seq], name, input, text: textOf([name, input]) };
      facts.push(fact);
      calls.set(`${session} ${data.toolUseId}`, fact);
    }
    const call = OUTCOMES.has(type) ? calls.get(`${session} ${data.toolUseId}`) : undefined;
    if (call !== undefined) {
      call.seqs.push(seq);
      if (type === 'tool.failed') call.error = data.error;
      call.text += `\n${textOf(data.error ?? data.response)}`;
    }
  }
  return facts.map((fact) => ({ ...fact, text: fact.text.slice(0, TEXT_CHARS) }));
}

/** All strings of it, a line each. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([key]) => !UNSEEN.has(key))
    .map(([, one]) => textOf(one))
    .filter(Boolean)
    .join('\n');
}

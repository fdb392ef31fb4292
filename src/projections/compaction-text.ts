/** Claude Code's frame around a summary: lead and orders in a transcript, the tags that the model was asked for in a hook. */
const LEAD = /^This session is being continued from a previous conversation[^.\n]*\.?/;
const LEAD_MORE =
  /^\s*(?:The summary below covers [^.\n]*\.|The conversation is summarized below:)/;
const LABEL = /^\s*Summary:[ \t]*\n?/;
const THOUGHTS = /^\s*Analysis:[ \t]*\n/;
const THOUGHTS_END = '\nSummary:';
/** Starts of the frame's end; which one comes first differs by version. */
const ENDS = [
  'If you need specific details from before compaction',
  'Continue the conversation from where it left off without',
  'Please continue the conversation from where we left it off without',
];

/** The summary without the client's frame, whose orders are of another moment. Any other text comes back unchanged. */
export const summaryText = (text: string): string => unframed(text, withoutThoughts);

/** What the model has of it: from older clients its analysis, too. */
export const toldText = (text: string): string => unframed(text, (told) => told);

function unframed(text: string, within: (told: string) => string): string {
  const lead = LEAD.exec(text);
  if (lead === null) return untagged(text);
  const body = text.slice(lead[0].length).replace(LEAD_MORE, '');
  const told = withoutBlocks(body.trimStart(), 'system-reminder');
  return untagged(withoutEnd(within(told))).trim();
}

/** Older clients also wrote the model's analysis, under its own label. */
function withoutThoughts(text: string): string {
  const end = THOUGHTS.test(text) ? text.indexOf(THOUGHTS_END) : -1;
  return end === -1 ? text : text.slice(end + 1);
}

/** The model's answer has its analysis in one tag and the summary in another. */
function untagged(text: string): string {
  const rest = withoutBlocks(text.trimStart(), 'analysis');
  const isTagged = rest.startsWith('<summary>');
  if (!isTagged && rest === text.trimStart()) return text.replace(LABEL, '');
  const inner = isTagged ? rest.slice('<summary>'.length).replace(/<\/summary>\s*$/, '') : rest;
  return withoutBlocks(inner.trimStart(), 'analysis').replace(LABEL, '').trim();
}

/** Without leading whole blocks of that tag. */
function withoutBlocks(text: string, tag: string): string {
  let rest = text;
  while (rest.startsWith(`<${tag}>`)) {
    const end = rest.indexOf(`</${tag}>`);
    if (end === -1) break;
    rest = rest.slice(end + tag.length + 3).trimStart();
  }
  return rest;
}

/** The last match counts: a summary may quote the frame of the one before it. */
function withoutEnd(text: string): string {
  const starts = ENDS.map((end) => text.lastIndexOf(`\n${end}`)).filter((at) => at !== -1);
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts));
}

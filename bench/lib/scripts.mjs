/** Every measurement, in the order of the table: its script, and what it is about. */
export const SCRIPTS = {
  hook: 'a hook',
  'hooks-at-once': 'sixteen hooks at once',
  monitor: 'a status line',
  'session-start': 'a session starts',
  transcript: 'a transcript is read',
  tools: "the server's tools",
  search: 'what search finds',
  state: 'a state at a random point',
  open: 'a long context opens',
  save: 'save and restore',
  record: 'a tool call at the server',
  'mcp-start': 'the server starts',
  import: 'an import',
  'after-import': 'a session starts after a long import',
  handoff: 'a handoff is written and verified',
  redaction: 'secrets are taken out',
  packs: 'packs are rendered',
  'packs-suggest': 'what packs suggest',
  append: 'appends',
  replay: 'replay and header scans',
  'cold-open': 'a cold status',
  verify: 'verify',
  compact: 'disk after compact',
  memory: 'memory',
  growth: "against the journal's length",
  'event-loop': "the server's event loop",
  'recall/planted': 'planted facts',
  'recall/next-reference': 'what is used next',
};

/** The name that a script's figures are saved by. */
export const savedName = (name) => name.replace('/', '-');

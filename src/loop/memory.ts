import path from 'node:path';
import { readFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { isObject } from '../projections/tools-text.ts';

/** Where a project names its servers. */
const FILES = ['.mcp.json', '.claude/settings.json', '.claude/settings.local.json'];
const FILE_BYTES_MAX = 1024 * 1024;

/** How to get back what the session before knew: by tools where a server of the project has them. */
export function memoryLines(dir: string, handoff: string, session: string | null): string[] {
  const servers = Object.assign({}, ...FILES.map((file) => serversIn(path.join(dir, file))));
  const own = JSON.stringify(servers.ben10 ?? null);
  const orient = /\b(?:monitor|all)\b/.test(own)
    ? `mcp__ben10__orient(handoff="${handoff}")`
    : `ben10 orient ${handoff}`;
  const whose = session === null ? '' : session.replace(/[^\w-]/g, '');
  const recall =
    own === 'null'
      ? `ben10 recall --session ${whose}`
      : `mcp__ben10__ben10_recall(session="${whose}")`;
  const others = Object.keys(servers).find((name) => /claude-mem/i.test(name));
  return [
    '### Memory Query (Run First)\n',
    `1. The handoff, without what holds no more: \`${orient}\``,
    `2. What else the session before knew: \`${recall}\`\n`,
    ...(others === undefined ? [] : [claudeMem(others.replace(/[^\w-]/g, '_'))]),
  ];
}

const claudeMem = (server: string): string => `Use claude-mem to retrieve checkpoint context:

\`\`\`
1. Get recent context: mcp__${server}__get_recent_context(limit=5)
2. Search checkpoints: mcp__${server}__search(query="checkpoint L2", type="observations")
\`\`\`
`;

function serversIn(file: string): Record<string, unknown> {
  try {
    const { mcpServers } = JSON.parse(readFile(nodeFs, file, FILE_BYTES_MAX).toString('utf8'));
    return isObject(mcpServers) ? mcpServers : {};
  } catch {
    return {};
  }
}

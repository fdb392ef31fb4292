import path from 'node:path';
import { fieldsIn } from '../platform/config/value.ts';
import { fieldsOfFile } from '../platform/json-file.ts';

/** Where a project names its servers. */
const FILES = ['.mcp.json', '.claude/settings.json', '.claude/settings.local.json'];

/** How to get back what the session before knew: by tools where a server of the project has them. */
export function memoryLines(dir: string, handoff: string, session: string | null): string[] {
  const named = FILES.map((file) => fieldsOfFile(path.join(dir, file)).mcpServers);
  const servers: Record<string, unknown> = Object.assign({}, ...named.map(fieldsIn));
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

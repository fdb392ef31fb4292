import type { Node } from 'jsonc-parser';
import { container, memberIf, pruneEmpty, sameJson } from './client-settings.ts';
import type { Binary } from './hook-entry.ts';
import { SERVER_NAME } from './hooks-table.ts';
import { addMember, removeChild, setValue } from './json-edit.ts';
import { type JsonText, memberOf } from './json-text.ts';

/** How the client starts ben10's server. */
export function serverFor(binary: Binary): { command: string; args: string[] } {
  return 'command' in binary
    ? { command: binary.command, args: ['serve'] }
    : { command: binary.node, args: [binary.script, 'serve'] };
}

/**
 * The client's MCP configuration (`.mcp.json`) with ben10's server. Of one that is there already, only how it is
 * started is changed: variables and limits that its user added stay.
 * @throws Ben10Error SETTINGS_INVALID where the file does not have the shape of an MCP configuration
 */
export function installServer(doc: JsonText, binary: Binary): JsonText {
  const server = serverFor(binary);
  const servers = container(doc, doc.root, ['mcpServers'], 'object');
  if (servers === undefined)
    return addMember(doc, doc.root, 'mcpServers', { [SERVER_NAME]: server });
  const path = ['mcpServers', SERVER_NAME];
  const entry = container(doc, servers, path, 'object');
  if (entry === undefined) return addMember(doc, servers, SERVER_NAME, server);
  const type = memberOf(doc, entry, [...path, 'type'])?.node.value;
  // An entry for another transport has nothing in common with ours.
  if (memberIf(entry, 'url', 'string') || (type !== undefined && type !== 'stdio')) {
    return setValue(doc, entry, server);
  }
  const started = setMember(doc, entry, [...path, 'command'], server.command);
  return setMember(started, entryOf(started)!, [...path, 'args'], server.args);
}

function setMember(doc: JsonText, object: Node, path: string[], value: unknown): JsonText {
  const there = memberOf(doc, object, path)?.node;
  if (there === undefined) return addMember(doc, object, path.at(-1)!, value);
  return sameJson(there, value) ? doc : setValue(doc, there, value);
}

/** The configuration without ben10's server, and without `mcpServers` when nothing else was in it. */
export function removeServer(doc: JsonText): JsonText {
  const servers = memberIf(doc.root, 'mcpServers', 'object');
  const own = servers?.children?.find(({ children }) => children?.[0]?.value === SERVER_NAME);
  if (servers === undefined || own === undefined) return doc;
  return pruneEmpty(removeChild(doc, servers, own), ['mcpServers']);
}

/** Our server's entry, if it is there. */
export const entryOf = (doc: JsonText): Node | undefined =>
  memberIf(memberIf(doc.root, 'mcpServers', 'object'), SERVER_NAME, 'object');

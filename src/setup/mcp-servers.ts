import type { Node } from 'jsonc-parser';
import { Ben10Error } from '../platform/errors.ts';
import { container, memberIf, pruneEmpty, sameJson } from './client-settings.ts';
import { type Binary, startedProgram } from './hook-entry.ts';
import { SERVER_NAME } from './hooks-table.ts';
import { addMember, removeChild, setValue } from './json-edit.ts';
import { type JsonText, memberOf, placeAt } from './json-text.ts';

export function serverFor(binary: Binary): { command: string; args: string[] } {
  return 'command' in binary
    ? { command: binary.command, args: ['serve'] }
    : { command: binary.node, args: [binary.script, 'serve'] };
}

/**
 * Adds ben10's server to `.mcp.json`, or updates its command; other members of its entry stay.
 * @throws Ben10Error SETTINGS_INVALID for another structure, or another server with our name
 */
export function installServer(doc: JsonText, binary: Binary): JsonText {
  const server = serverFor(binary);
  const servers = container(doc, doc.root, ['mcpServers'], 'object');
  if (servers === undefined)
    return addMember(doc, doc.root, 'mcpServers', { [SERVER_NAME]: server });
  const path = ['mcpServers', SERVER_NAME];
  const entry = container(doc, servers, path, 'object');
  if (entry === undefined) return addMember(doc, servers, SERVER_NAME, server);
  // An empty entry may be completed.
  if (entry.children?.length !== 0 && !isOurs(entry)) throw foreign(doc, entry);
  const started = setMember(doc, entry, [...path, 'command'], server.command);
  return setMember(started, entryOf(started)!, [...path, 'args'], server.args);
}

function setMember(doc: JsonText, object: Node, path: string[], value: unknown): JsonText {
  const there = memberOf(doc, object, path)?.node;
  if (there === undefined) return addMember(doc, object, path.at(-1)!, value);
  return sameJson(there, value) ? doc : setValue(doc, there, value);
}

/** Whether an entry starts any copy of ben10. */
export function isOurs(entry: Node): boolean {
  const type = memberIf(entry, 'type', 'string')?.value ?? 'stdio';
  if (type !== 'stdio' || memberIf(entry, 'url', 'string') !== undefined) return false;
  const command = memberIf(entry, 'command', 'string')?.value ?? '';
  const args = memberIf(entry, 'args', 'array')?.children ?? [];
  return (
    startedProgram([command, ...args.map(({ value }) => String(value))], 'serve') !== undefined
  );
}

function foreign(doc: JsonText, entry: Node): Ben10Error {
  const { file, text } = doc;
  return new Ben10Error('SETTINGS_INVALID', `${file} has another server named "${SERVER_NAME}"`, {
    place: { file, ...placeAt(text, entry.offset) },
    next: 'Nothing was changed. Rename that server, then run the command again.',
  });
}

/** Removes ben10's server, and `mcpServers` if it becomes empty. */
export function removeServer(doc: JsonText): JsonText {
  const servers = memberIf(doc.root, 'mcpServers', 'object');
  const own = servers?.children?.find(
    ({ children }) => children?.[0]?.value === SERVER_NAME && isOurs(children[1]!),
  );
  if (servers === undefined || own === undefined) return doc;
  return pruneEmpty(removeChild(doc, servers, own), ['mcpServers']);
}

export const entryOf = (doc: JsonText): Node | undefined =>
  memberIf(memberIf(doc.root, 'mcpServers', 'object'), SERVER_NAME, 'object');

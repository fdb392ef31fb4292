import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import { type Binary, groupFor, handlerFor, recogniseHandler } from './hook-entry.ts';
import {
  type Carrier,
  HOOKS,
  type HookRow,
  RECORD_TOOL_PERMISSION,
  SERVER_NAME,
} from './hooks-table.ts';
import { addItem, addMember, removeChild, setValue, textOf } from './json-edit.ts';
import { type JsonPath, type JsonText, memberOf, shapeError } from './json-text.ts';

/** The client's list of servers in `.mcp.json` that may run. */
const ALLOWED = 'enabledMcpjsonServers';

/**
 * Adds or updates ben10's hooks, and the entry that hides the recording tool from the model.
 * @throws Ben10Error SETTINGS_INVALID if the file does not have the structure of settings
 */
export function installHooks(doc: JsonText, carrier: Carrier, binary: Binary): JsonText {
  requireShape(doc);
  const installed = HOOKS.reduce((now, row) => installHook(now, row, carrier, binary), doc);
  return denyRecordTool(installed);
}

/** Checked before any change, so that a message has the line in the original file. */
function requireShape(doc: JsonText): void {
  const hooks = container(doc, doc.root, ['hooks'], 'object');
  for (const { event } of HOOKS) {
    const groups = hooks && container(doc, hooks, ['hooks', event], 'array');
    if (groups !== undefined) ourHandlers(doc, groups, event);
  }
  const permissions = container(doc, doc.root, ['permissions'], 'object');
  if (permissions !== undefined) container(doc, permissions, ['permissions', 'deny'], 'array');
}

function installHook(doc: JsonText, row: HookRow, carrier: Carrier, binary: Binary): JsonText {
  const handler = handlerFor(row, carrier, binary);
  const hooks = container(doc, doc.root, ['hooks'], 'object');
  if (hooks === undefined) {
    return addMember(doc, doc.root, 'hooks', { [row.event]: [groupFor(row, handler)] });
  }
  const groups = container(doc, hooks, ['hooks', row.event], 'array');
  if (groups === undefined) return addMember(doc, hooks, row.event, [groupFor(row, handler)]);
  const ours = ourHandlers(doc, groups, row.event);
  const kept = ours.find(({ matcher }) => matchesAll(matcher));
  // A removal moves what follows: start again with the new text.
  const surplus = ours.find((entry) => entry !== kept);
  if (surplus !== undefined) {
    return installHook(removeHandler(doc, groups, surplus), row, carrier, binary);
  }
  if (kept === undefined) return addItem(doc, groups, groupFor(row, handler));
  return sameJson(kept.node, handler) ? doc : setValue(doc, kept.node, handler);
}

function denyRecordTool(doc: JsonText): JsonText {
  const permissions = container(doc, doc.root, ['permissions'], 'object');
  if (permissions === undefined) {
    return addMember(doc, doc.root, 'permissions', { deny: [RECORD_TOOL_PERMISSION] });
  }
  const deny = container(doc, permissions, ['permissions', 'deny'], 'array');
  if (deny === undefined) return addMember(doc, permissions, 'deny', [RECORD_TOOL_PERMISSION]);
  const there = deny.children?.some(({ value }) => value === RECORD_TOOL_PERMISSION);
  return there ? doc : addItem(doc, deny, RECORD_TOOL_PERMISSION);
}

/**
 * Answers the client's question whether ben10's server in `.mcp.json` may run: who runs `init` wants it. Not after the user
 * refused it there.
 */
export function allowServer(doc: JsonText): JsonText {
  if (listed(doc, 'disabledMcpjsonServers')) return doc;
  const allowed = container(doc, doc.root, [ALLOWED], 'array');
  if (allowed === undefined) return addMember(doc, doc.root, ALLOWED, [SERVER_NAME]);
  return listed(doc, ALLOWED) ? doc : addItem(doc, allowed, SERVER_NAME);
}

/** Whether ben10's server is in a list of the client's settings. */
export const listed = ({ root }: Pick<JsonText, 'root'>, list: string): boolean =>
  memberIf(root, list, 'array')?.children?.some(({ value }) => value === SERVER_NAME) === true;

/** Whether there is any hook of ours. */
export const hasHooks = ({ root }: Pick<JsonText, 'root'>): boolean =>
  memberIf(root, 'hooks', 'object')?.children?.some(
    ({ children }) => children?.[1]?.type === 'array' && ourHandlersIn(children[1]).length > 0,
  ) === true;

/** Removes all that `init` put into settings. */
export function removeOurs(doc: JsonText): JsonText {
  const without = removeHooks(doc);
  const allowed = memberIf(without.root, ALLOWED, 'array');
  const own = allowed?.children?.find(({ value }) => value === SERVER_NAME);
  if (allowed === undefined || own === undefined) return without;
  return pruneEmpty(removeChild(without, allowed, own), [ALLOWED]);
}

/** Removes all of ben10's entries, and members that become empty, unless they were there before. */
export function removeHooks(doc: JsonText): JsonText {
  return removeEntries(doc, olderThanOurs(doc.root));
}

/** Paths of members that existed before init, which adds members at the end, in a fixed order: others were there before. */
function olderThanOurs(root: Node): ReadonlySet<string> {
  const names = (node: Node | undefined) =>
    (node?.children ?? []).map(({ children }) => String(children?.[0]?.value));
  const top = names(root);
  const [hooks, permissions] = [top.indexOf('hooks'), top.indexOf('permissions')];
  const found = new Set<string>();
  // init adds these two next to each other.
  if (hooks !== -1 && permissions > hooks + 1) found.add('hooks');
  const kinds = names(memberIf(root, 'permissions', 'object'));
  if (permissions !== -1 && permissions < hooks && kinds.length === 1)
    found.add('permissions.deny');
  const rows = HOOKS.map(({ event }) => event);
  const events = names(memberIf(root, 'hooks', 'object'));
  for (const [index, event] of events.entries()) {
    const row = rows.indexOf(event);
    const isOut = events
      .slice(index + 1)
      .some((next) => rows.slice(0, Math.max(row, 0)).includes(next));
    if (isOut) found.add(`hooks.${event}`);
  }
  return found;
}

function removeEntries(doc: JsonText, older: ReadonlySet<string>): JsonText {
  const hooks = memberIf(doc.root, 'hooks', 'object');
  for (const property of hooks?.children ?? []) {
    const groups = property.children?.[1];
    if (groups?.type !== 'array') continue;
    const [entry] = ourHandlersIn(groups);
    if (entry === undefined) continue;
    const cut = removeHandler(doc, groups, entry);
    const event = String(property.children![0]!.value);
    return removeEntries(pruneEmpty(cut, ['hooks', event], older), older);
  }
  const deny = memberIf(memberIf(doc.root, 'permissions', 'object'), 'deny', 'array');
  const denied = deny?.children?.find(({ value }) => value === RECORD_TOOL_PERMISSION);
  if (deny === undefined || denied === undefined) return doc;
  const cut = removeChild(doc, deny, denied);
  return removeEntries(pruneEmpty(cut, ['permissions', 'deny'], older), older);
}

/** An entry of ben10. */
interface InstalledHandler {
  node: Node;
  group: Node;
  /** The array that holds `node`. */
  list: Node;
  matcher: unknown;
}

/** Whether a matcher does not restrict the hook. */
export const matchesAll = (matcher: unknown): boolean =>
  matcher === undefined || matcher === '' || matcher === '*';

/** Our entries of one event, in order. */
export function ourHandlersIn(groups: Node): InstalledHandler[] {
  return (groups.children ?? []).flatMap((group) => {
    const list = memberIf(group, 'hooks', 'array');
    const matcher = memberIf(group, 'matcher', 'string')?.value;
    const ours = list?.children?.filter((node) => recogniseHandler(getNodeValue(node))) ?? [];
    return ours.map((node) => ({ node, group, list: list!, matcher }));
  });
}

/** The same; refuses groups of another structure, because an entry among them would never run. */
function ourHandlers(doc: JsonText, groups: Node, event: string): InstalledHandler[] {
  for (const [index, group] of (groups.children ?? []).entries()) {
    const path = ['hooks', event, index];
    if (group.type !== 'object') throw shapeError(doc, { node: group, path }, 'an object');
    const list = container(doc, group, [...path, 'hooks'], 'array');
    if (list === undefined) {
      throw shapeError(doc, { node: group, path }, 'an object with an array "hooks"');
    }
  }
  return ourHandlersIn(groups);
}

/** Removes an entry, and its group if it becomes empty. */
function removeHandler(doc: JsonText, groups: Node, entry: InstalledHandler): JsonText {
  return entry.list.children?.length === 1
    ? removeChild(doc, groups, entry.group)
    : removeChild(doc, entry.list, entry.node);
}

const EMPTY = /^(\{\s*\}|\[\s*\])$/;

/** Removes the member at `path` and its parents if they are empty. @param older paths that stay even if empty */
export function pruneEmpty(
  doc: JsonText,
  path: readonly string[],
  older: ReadonlySet<string> = new Set(),
): JsonText {
  if (older.has(path.join('.'))) return doc;
  let parent = doc.root;
  for (const key of path.slice(0, -1)) parent = memberIf(parent, key, 'object')!;
  const property = parent.children?.find(({ children }) => children?.[0]?.value === path.at(-1));
  const value = property?.children?.[1];
  if (property === undefined || value === undefined || !EMPTY.test(textOf(doc, value))) return doc;
  const pruned = removeChild(doc, parent, property);
  return path.length > 1 ? pruneEmpty(pruned, path.slice(0, -1), older) : pruned;
}

export function container(
  doc: JsonText,
  parent: Node,
  path: JsonPath,
  type: 'object' | 'array',
): Node | undefined {
  if (parent.type !== 'object')
    throw shapeError(doc, { node: parent, path: path.slice(0, -1) }, 'an object');
  const node = memberOf(doc, parent, path)?.node;
  if (node === undefined || node.type === type) return node;
  throw shapeError(doc, { node, path }, type === 'array' ? 'an array' : 'an object');
}

/** A member of that type; the last one of duplicates, like JSON.parse. */
export function memberIf(
  parent: Node | undefined,
  key: string,
  type: Node['type'],
): Node | undefined {
  if (parent?.type !== 'object') return undefined;
  const node = parent.children?.findLast(({ children }) => children?.[0]?.value === key)
    ?.children?.[1];
  return node?.type === type ? node : undefined;
}

export const sameJson = (node: Node, value: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(getNodeValue(node))), value);

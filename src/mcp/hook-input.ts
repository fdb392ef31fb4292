import { isObject, type Json, parseJson } from '../capture/json.ts';

/** Hook fields that are objects or lists; where the client fills them into text they arrive as JSON. */
const JSON_FIELDS = new Set(['tool_input', 'tool_response', 'tool_calls', 'updated_input']);
const NUMBER_FIELDS = new Set(['duration_ms']);
const BOOLEAN_FIELDS = new Set(['is_interrupt', 'stop_hook_active']);
const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;

/**
 * The stdin that a command hook would have been given, from the arguments of an `mcp_tool` hook: the client fills
 * `${path}` with text, with JSON for an object, and with nothing where the path leads nowhere.
 */
export function hookInput(args: Json): Json {
  const given = Object.entries(args).filter(([, value]) => value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, fieldOf(name, value)]));
}

function fieldOf(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (JSON_FIELDS.has(name)) return parsed(value);
  if (NUMBER_FIELDS.has(name) && NUMBER.test(value)) return Number(value);
  if (BOOLEAN_FIELDS.has(name) && /^(?:true|false)$/.test(value)) return value === 'true';
  return value;
}

/** A tool's answer may be plain text, even one that starts like JSON; a number or a word stays text as well. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    const value: unknown = parseJson(text);
    return isObject(value) || Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

import { isObject, type Json, parseJson } from '../capture/json.ts';

/** Hook fields that arrive as JSON text. */
const JSON_FIELDS = new Set(['tool_input', 'tool_response', 'tool_calls', 'updated_input']);
const NUMBER_FIELDS = new Set(['duration_ms']);
const BOOLEAN_FIELDS = new Set(['is_interrupt', 'stop_hook_active']);
const NUMBER = /^\d{1,15}(?:\.\d{1,9})?$/;

/** Turns the arguments of an `mcp_tool` hook into a command hook's stdin. The client passes text, JSON for objects, or ''. */
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

/** Only objects and lists: a tool's answer may be text that looks like JSON. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    const value: unknown = parseJson(text);
    return isObject(value) || Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

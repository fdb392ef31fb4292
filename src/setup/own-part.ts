import { removeOurs } from './client-settings.ts';
import { withoutIgnoreLine } from './ignore-file.ts';
import { removeServer } from './mcp-servers.ts';
import {
  IGNORE_FILE,
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
  SETTINGS_FILE,
  withoutOurs,
} from './plan-edit.ts';

/** For each file that `init` changes: its text without ben10's part; undefined if nothing is left. Throws for invalid files. */
export const OWN_PART: Readonly<Record<string, (text: string) => string | undefined>> = {
  [MCP_FILE]: (text) => withoutOurs(MCP_FILE, text, removeServer),
  [SETTINGS_FILE]: (text) => withoutOurs(SETTINGS_FILE, text, removeOurs),
  [LOCAL_SETTINGS_FILE]: (text) => withoutOurs(LOCAL_SETTINGS_FILE, text, removeOurs),
  [IGNORE_FILE]: withoutIgnoreLine,
};

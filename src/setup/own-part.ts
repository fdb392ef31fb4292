import { removeHooks } from './client-settings.ts';
import { withoutIgnoreLine } from './ignore-file.ts';
import { removeServer } from './mcp-servers.ts';
import {
  IGNORE_FILE,
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
  SETTINGS_FILE,
  withoutOurs,
} from './plan-edit.ts';

/**
 * By each file of the user's that `init` puts something into, relative to the project: its text without that, as an uninstall would
 * leave it; undefined where it would remove the file. They throw what is said of a file that cannot be parsed.
 */
export const OWN_PART: Readonly<Record<string, (text: string) => string | undefined>> = {
  [MCP_FILE]: (text) => withoutOurs(MCP_FILE, text, removeServer),
  [SETTINGS_FILE]: (text) => withoutOurs(SETTINGS_FILE, text, removeHooks),
  [LOCAL_SETTINGS_FILE]: (text) => withoutOurs(LOCAL_SETTINGS_FILE, text, removeHooks),
  [IGNORE_FILE]: withoutIgnoreLine,
};

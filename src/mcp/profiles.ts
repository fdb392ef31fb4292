import type { Ben10Config } from '../platform/config/keys.ts';
import type { Tool } from './tool.ts';
import { checkpointTool } from './tools/checkpoint.ts';
import { clearTool } from './tools/clear.ts';
import { devContextTool } from './tools/dev-context.ts';
import { diffTool } from './tools/diff.ts';
import { logTool } from './tools/log.ts';
import { lostTool } from './tools/lost.ts';
import { recallTool } from './tools/recall.ts';
import { recordTool } from './tools/record.ts';
import { replayTool } from './tools/replay.ts';
import { restoreTool } from './tools/restore.ts';
import { saveTool } from './tools/save.ts';
import { saveWorkTool } from './tools/save-work.ts';
import { snapshotListTool } from './tools/snapshot-list.ts';
import { snapshotRestoreTool } from './tools/snapshot-restore.ts';
import { statusTool } from './tools/status.ts';

export type Profile = Ben10Config['mcp']['profile'];

const core: readonly Tool[] = [
  statusTool,
  logTool,
  replayTool,
  saveTool,
  restoreTool,
  checkpointTool,
  snapshotListTool,
  snapshotRestoreTool,
  diffTool,
  clearTool,
  recallTool,
  lostTool,
  devContextTool,
  saveWorkTool,
  recordTool,
];

/** Which tools a server offers, by the name of its profile. Their order is the order in `tools/list`. */
export const PROFILES: Readonly<Record<Profile, readonly Tool[]>> = { core, all: core };

import type { ProfileChoice, ProfileName } from '../platform/config/keys.ts';
import type { Offer } from './offer.ts';
import { catchMeUpPrompt } from './prompts/catch-me-up.ts';
import { checkpointPrompt, handoffPrompt, orientPrompt } from './prompts/handoff.ts';
import { resumePrompt } from './prompts/resume.ts';
import { usePackPrompt } from './prompts/use-pack.ts';
import { whatWasLostPrompt } from './prompts/what-was-lost.ts';
import { contextResource } from './resources/context.ts';
import { handoffTemplate } from './resources/handoffs.ts';
import { monitorResource } from './resources/monitor.ts';
import { packSnapshotTemplate, packTemplate } from './resources/packs.ts';
import { preferencesResource } from './resources/preferences.ts';
import { snapshotsResource, snapshotTemplate } from './resources/snapshots.ts';
import { statusResource } from './resources/status.ts';
import { checkpointTool } from './tools/checkpoint.ts';
import { clearTool } from './tools/clear.ts';
import { contextStatusTool } from './tools/context-status.ts';
import { createHandoffTool } from './tools/create-handoff.ts';
import { deferCheckpointTool } from './tools/defer-checkpoint.ts';
import { devContextTool } from './tools/dev-context.ts';
import { diffTool } from './tools/diff.ts';
import { estimateTaskTool } from './tools/estimate-task.ts';
import { logTool } from './tools/log.ts';
import { lostTool } from './tools/lost.ts';
import { orientTool } from './tools/orient.ts';
import { packsEditTool } from './tools/packs-edit.ts';
import { packsGetTool } from './tools/packs-get.ts';
import { packsListTool } from './tools/packs-list.ts';
import { packsPreviewTool } from './tools/packs-preview.ts';
import { packsRenderTool } from './tools/packs-render.ts';
import { packsSnapshotTool } from './tools/packs-snapshot.ts';
import { packsSuggestTool } from './tools/packs-suggest.ts';
import { recallTool } from './tools/recall.ts';
import { recordTool } from './tools/record.ts';
import { replayTool } from './tools/replay.ts';
import { restoreTool } from './tools/restore.ts';
import { saveTool } from './tools/save.ts';
import { saveWorkTool } from './tools/save-work.ts';
import { snapshotListTool } from './tools/snapshot-list.ts';
import { snapshotRestoreTool } from './tools/snapshot-restore.ts';
import { statusTool } from './tools/status.ts';
import { suggestShardsTool } from './tools/suggest-shards.ts';
import { verifyHandoffTool } from './tools/verify-handoff.ts';

const core: Offer = {
  tools: [
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
  ],
  resources: [statusResource, contextResource, preferencesResource, snapshotsResource],
  templates: [snapshotTemplate],
  prompts: [resumePrompt, whatWasLostPrompt, catchMeUpPrompt],
};

const packs: Offer = {
  tools: [
    packsListTool,
    packsGetTool,
    packsPreviewTool,
    packsRenderTool,
    packsSnapshotTool,
    packsEditTool,
    packsSuggestTool,
  ],
  resources: [],
  templates: [packTemplate, packSnapshotTemplate],
  prompts: [usePackPrompt],
};

const monitor: Offer = {
  tools: [
    contextStatusTool,
    createHandoffTool,
    orientTool,
    verifyHandoffTool,
    estimateTaskTool,
    suggestShardsTool,
    deferCheckpointTool,
  ],
  resources: [monitorResource],
  templates: [handoffTemplate],
  prompts: [handoffPrompt, orientPrompt, checkpointPrompt],
};

/** Each tool, resource and prompt belongs to one profile. */
export const PROFILES: Readonly<Record<ProfileName, Offer>> = { core, packs, monitor };

export const offerOf = (
  chosen: readonly ProfileChoice[],
  profiles: Readonly<Record<string, Offer>> = PROFILES,
): Offer => {
  const isAll = chosen.includes('all');
  const offers = Object.entries(profiles).flatMap(([name, offer]) =>
    isAll || chosen.includes(name as ProfileName) ? [offer] : [],
  );
  return {
    tools: offers.flatMap(({ tools }) => tools),
    resources: offers.flatMap(({ resources }) => resources),
    templates: offers.flatMap(({ templates }) => templates),
    prompts: offers.flatMap(({ prompts }) => prompts),
  };
};

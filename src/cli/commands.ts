import type { CommandClass } from 'clipanion';
import type { Ben10Command, Choices, ExitCodes } from './command.ts';
import type { Ben10Context } from './context.ts';
import { LOOP_VERBS } from './loop/verbs.ts';
import { MONITOR_VERBS } from './monitor/verbs.ts';
import { PACK_VERBS } from './pack/verbs.ts';

export type Ben10CommandClass = CommandClass<Ben10Context> & {
  new (): Ben10Command;
  exits: ExitCodes;
  busy: string;
  takesText: boolean;
  words: readonly Choices[];
  choices: Readonly<Record<string, Choices>>;
};

export type Load = () => Promise<Ben10CommandClass>;

/** All commands in the order of the help. Only the requested one is loaded, because loading all takes long. */
export const COMMANDS: Readonly<Record<string, Load>> = {
  init: async () => (await import('./commands/init.ts')).InitCommand,
  import: async () => (await import('./commands/import.ts')).ImportCommand,
  demo: async () => (await import('./commands/demo.ts')).DemoCommand,
  status: async () => (await import('./commands/status.ts')).StatusCommand,
  sessions: async () => (await import('./commands/sessions.ts')).SessionsCommand,
  search: async () => (await import('./commands/search.ts')).SearchCommand,
  log: async () => (await import('./commands/log.ts')).LogCommand,
  show: async () => (await import('./commands/show.ts')).ShowCommand,
  monitor: async () => (await import('./commands/monitor.ts')).MonitorCommand,
  estimate: async () => (await import('./commands/estimate.ts')).EstimateCommand,
  shard: async () => (await import('./commands/shard.ts')).ShardCommand,
  usage: async () => (await import('./commands/usage.ts')).UsageCommand,
  save: async () => (await import('./commands/save.ts')).SaveCommand,
  checkpoint: async () => (await import('./commands/checkpoint.ts')).CheckpointCommand,
  snapshot: async () => (await import('./commands/snapshot.ts')).SnapshotCommand,
  work: async () => (await import('./commands/work.ts')).WorkCommand,
  clear: async () => (await import('./commands/clear.ts')).ClearCommand,
  restore: async () => (await import('./commands/restore.ts')).RestoreCommand,
  replay: async () => (await import('./commands/replay.ts')).ReplayCommand,
  diff: async () => (await import('./commands/diff.ts')).DiffCommand,
  merge: async () => (await import('./commands/merge.ts')).MergeCommand,
  context: async () => (await import('./commands/context.ts')).ContextCommand,
  recall: async () => (await import('./commands/recall.ts')).RecallCommand,
  handoff: async () => (await import('./commands/handoff.ts')).HandoffCommand,
  loop: async () => (await import('./commands/loop.ts')).LoopCommand,
  orient: async () => (await import('./commands/orient.ts')).OrientCommand,
  tracker: async () => (await import('./commands/tracker.ts')).TrackerCommand,
  lost: async () => (await import('./commands/lost.ts')).LostCommand,
  preferences: async () => (await import('./commands/preferences.ts')).PreferencesCommand,
  pack: async () => (await import('./commands/pack.ts')).PackCommand,
  serve: async () => (await import('./commands/serve.ts')).ServeCommand,
  statusline: async () => (await import('./commands/statusline.ts')).StatuslineCommand,
  hook: async () => (await import('./commands/hook.ts')).HookCommand,
  doctor: async () => (await import('./commands/doctor.ts')).DoctorCommand,
  config: async () => (await import('./commands/config.ts')).ConfigCommand,
  compact: async () => (await import('./commands/compact.ts')).CompactCommand,
  verify: async () => (await import('./commands/verify.ts')).VerifyCommand,
  repair: async () => (await import('./commands/repair.ts')).RepairCommand,
  erase: async () => (await import('./commands/erase.ts')).EraseCommand,
  scan: async () => (await import('./commands/scan.ts')).ScanCommand,
  explain: async () => (await import('./commands/explain.ts')).ExplainCommand,
  completion: async () => (await import('./commands/completion.ts')).CompletionCommand,
  version: async () => (await import('./commands/version.ts')).VersionCommand,
};

/** Commands that are several: `ben10 pack add`. */
export const VERBS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  pack: PACK_VERBS,
  monitor: MONITOR_VERBS,
  loop: LOOP_VERBS,
};

/** For the overview and the shells' completion. */
export async function loadAll(from = COMMANDS): Promise<Map<string, Ben10CommandClass>> {
  const loaded = Object.entries(from).map(async ([name, load]) => [name, await load()] as const);
  return new Map(await Promise.all(loaded));
}

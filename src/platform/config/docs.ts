/** What each setting is for, apart from the table: hooks load that one, and read no documentation. */
export const CONFIG_DOCS: Readonly<Record<string, { doc: string; example: string }>> = {
  'context.autoSave': {
    doc: 'Record sessions, and save the context at their end and before a compaction. What is said while a file has it off stays out of the journal when it is on again, unless ben10 import brings it; the variable holds only for the processes that have it, and later ones read what they wrote in the transcript.',
    example: 'false',
  },
  'context.autoRestore': {
    doc: 'Give back at the start of a session, and after a compaction, what the agent needs to go on.',
    example: 'false',
  },
  'context.checkpointInterval': {
    doc: 'Store a rolling checkpoint of the context after this many messages.',
    example: '25',
  },
  'context.storageLocation': {
    doc: 'Folder inside the project that holds the journal and all that is made of it. The configuration and hook-config.json stay in .ben10. What was recorded before stays where it is.',
    example: '.cache/ben10',
  },
  'context.maxStorageMb': {
    doc: 'Size of the storage folder from which status warns, and ben10 compact removes older checkpoints: they are made again when they are asked for. No event, save or snapshot is dropped because of it.',
    example: '500',
  },
  'context.historyRetentionCount': {
    doc: 'Rolling checkpoints of a session that are always kept: the newest ones. One for each segment of the journal stays besides.',
    example: '10',
  },
  'context.checkpointRetentionDays': {
    doc: 'Days for which rolling checkpoints beyond the newest are kept, 256 of each session at most.',
    example: '1',
  },
  'context.compactionSnapshots.enabled': {
    doc: 'Take a snapshot of the whole context before a compaction.',
    example: 'false',
  },
  'context.compactionSnapshots.retentionCount': {
    doc: 'Compaction snapshots that are kept: the newest ones. Pinned ones stay besides.',
    example: '20',
  },
  'context.compactionSnapshots.retentionDays': {
    doc: 'Days after which a compaction snapshot goes. Pinned ones stay.',
    example: '90',
  },
  'context.compactionSnapshots.maxStorageMb': {
    doc: 'What all compaction snapshots together may take; the oldest go first. Pinned ones stay.',
    example: '100',
  },
  'context.compactionSnapshots.compressionLevel': {
    doc: 'Zstandard level of compaction snapshots: higher is smaller and slower.',
    example: '9',
  },
  'context.excludePatterns': {
    doc: 'Files whose content is neither recorded from file tools nor compared with the disk, as in a .gitignore but without "!". A list replaces the one below. What a shell command prints is not covered.',
    example: '*.log .env* secrets/**',
  },
  'context.sensitiveRedaction': {
    doc: 'Replace secrets by [REDACTED:<RULE>] before anything is written. When false, only passages in private tags and your own redaction.patterns are replaced.',
    example: 'false',
  },
  'redaction.patterns': {
    doc: 'Your own rules, each with id, pattern (a regular expression) and flags; all files add up.',
    example: '[{"id":"INTERNAL_TOKEN","pattern":"int_[0-9a-f]{32}","flags":"i"}]',
  },
  'redaction.allow': {
    doc: 'Texts that look like secrets and are none; all files add up.',
    example: 'AKIAIOSFODNN7EXAMPLE',
  },
  'recall.maxChars': {
    doc: 'The most that is given back to an agent at one time; of what follows a compaction in two texts, of both together.',
    example: '4000',
  },
  'recall.steering': {
    doc: 'Tell the client before it compacts what its summary should carry word for word.',
    example: 'false',
  },
  'mcp.logLevel': {
    doc: 'What the server writes to stderr: with debug also every call of a tool, and how long it took.',
    example: 'debug',
  },
  'mcp.profile': {
    doc: 'What the server offers, as a list of profiles. In this version everything is in core.',
    example: 'all',
  },
  'journal.segmentBytes': {
    doc: 'Size at which a segment of the journal is closed and the next one begun.',
    example: '16777216',
  },
  'workspace.project.name': {
    doc: 'What the project is called in its development context. When empty, the name of its folder.',
    example: 'Infotainment',
  },
  'workspace.project.type': {
    doc: 'What kind of project it is, such as aosp, yocto, ros, node, rust. When empty, its files say it.',
    example: 'aosp',
  },
  'workspace.scripts.entryPoint': {
    doc: 'The script that builds the project, inside of it.',
    example: 'scripts/build.sh',
  },
  'workspace.scripts.configDir': {
    doc: 'Folder inside the project with one file a build target: TARGET_NAME, TARGET_DESCRIPTION, CONTAINER_NAME, LUNCH_TARGET, CAN_EMULATOR and CAN_FLASH are read of each.',
    example: 'scripts/config',
  },
  'workspace.scripts.configPattern': {
    doc: 'Which files of that folder are build targets; * and ? stay within a name.',
    example: '*.target',
  },
  'workspace.containers.runtime': {
    doc: 'Which program is asked for containers: auto asks docker and podman where they are, none asks nobody.',
    example: 'podman',
  },
  'workspace.hints.default': {
    doc: 'What a model should know first of how to work here.',
    example: 'build-inside-the-container',
  },
  'workspace.history.enabled': {
    doc: 'Show recent commands in the development context.',
    example: 'false',
  },
  'workspace.history.patterns': {
    doc: 'Which commands are relevant: those that hold one of these texts, where * stands for anything and ^ for the start. All files add up. When empty, every command that does not merely look.',
    example: '^lunch bitbake',
  },
  'workspace.history.maxEntries': {
    doc: 'How many recent commands are shown.',
    example: '20',
  },
  'workspace.git.enabled': {
    doc: 'Ask git for branches, changes and last commits.',
    example: 'false',
  },
  'workspace.watch': {
    doc: 'Have the server look around while it is idle, so that a stopped container or another branch is noticed and told at the next prompt.',
    example: 'false',
  },
  'retention.events': {
    doc: 'Age, such as 90d, from which ben10 compact drops events, segment by segment; never keeps them all. What was known of them stays as states, and so do saves and snapshots; points before that time are gone for good.',
    example: '90d',
  },
};

/** Kept apart from `keys.ts`, which hooks load. */
export const CONFIG_DOCS: Readonly<Record<string, { doc: string; example: string }>> = {
  'context.autoSave': {
    doc: 'Record sessions, and save the context at their end and before a compaction. What is said while a file sets it to false stays out of the journal, unless ben10 import brings it in. The variable only affects processes that have it: later ones record what is in the transcript.',
    example: 'false',
  },
  'context.autoRestore': {
    doc: 'At the start of a session and after a compaction, give the agent what it needs to continue.',
    example: 'false',
  },
  'context.checkpointInterval': {
    doc: 'Store a rolling checkpoint of the context after this many messages.',
    example: '25',
  },
  'context.storageLocation': {
    doc: 'Folder inside the project for the journal and what is derived from it. The configuration and hook-config.json stay in .ben10. Existing records are not moved.',
    example: '.cache/ben10',
  },
  'context.maxStorageMb': {
    doc: 'Above this size of the storage folder, ben10 status warns and ben10 compact removes older checkpoints and the search index, which can be rebuilt. It never drops an event, save or snapshot.',
    example: '500',
  },
  'context.historyRetentionCount': {
    doc: 'How many of the newest rolling checkpoints of a session are always kept, besides one for each journal segment.',
    example: '10',
  },
  'context.checkpointRetentionDays': {
    doc: 'Days for which older rolling checkpoints are kept, at most 256 for each session.',
    example: '1',
  },
  'context.compactionSnapshots.enabled': {
    doc: 'Take a snapshot of the context before each compaction.',
    example: 'false',
  },
  'context.compactionSnapshots.retentionCount': {
    doc: 'How many of the newest compaction snapshots are kept. Pinned ones stay as well.',
    example: '20',
  },
  'context.compactionSnapshots.retentionDays': {
    doc: 'Days after which a compaction snapshot is removed. Pinned ones stay.',
    example: '90',
  },
  'context.compactionSnapshots.maxStorageMb': {
    doc: 'Size limit of all compaction snapshots together; the oldest are removed first. Pinned ones stay.',
    example: '100',
  },
  'context.compactionSnapshots.compressionLevel': {
    doc: 'Zstandard level of compaction snapshots: higher is smaller and slower.',
    example: '9',
  },
  'context.excludePatterns': {
    doc: 'Files whose content file tools do not record, ben10 diff does not compare, and nothing gives back. Patterns as in .gitignore, without "!". A list replaces the default. The output of other shell commands is not covered.',
    example: '*.log .env* secrets/**',
  },
  'context.sensitiveRedaction': {
    doc: 'Replace secrets by [REDACTED:<RULE>] before anything is written. When false, only passages in private tags and your own redaction.patterns are replaced.',
    example: 'false',
  },
  'redaction.patterns': {
    doc: 'Your own rules, each with id, pattern (a regular expression) and flags. The rules of all files apply.',
    example: '[{"id":"INTERNAL_TOKEN","pattern":"int_[0-9a-f]{32}","flags":"i"}]',
  },
  'redaction.allow': {
    doc: 'Texts that look like secrets but are not. The lists of all files apply.',
    example: 'AKIAIOSFODNN7EXAMPLE',
  },
  'recall.maxChars': {
    doc: 'Limit of what is given to the agent at one time. After a compaction it covers both texts together.',
    example: '4000',
  },
  'recall.steering': {
    doc: 'Before a compaction, tell the client what its summary should quote word for word. Claude Code prints that after /compact.',
    example: 'false',
  },
  'recall.notice': {
    doc: 'Say in one line what a session got back at its start.',
    example: 'false',
  },
  'mcp.logLevel': {
    doc: 'What the server logs to stderr; debug includes each tool call and its duration.',
    example: 'debug',
  },
  'mcp.profile': {
    doc: 'Which profiles (groups of tools) the server offers: core, packs (context packs), monitor (context monitor and handoffs), or all.',
    example: 'all',
  },
  'journal.segmentBytes': {
    doc: 'Size at which a journal segment is closed and a new one started.',
    example: '16777216',
  },
  'workspace.project.name': {
    doc: 'Name of the project in its development context. If empty, the name of its folder.',
    example: 'Infotainment',
  },
  'workspace.project.type': {
    doc: 'Type of the project, such as aosp, yocto, ros, node or rust. If empty, it is detected from the files.',
    example: 'aosp',
  },
  'workspace.scripts.entryPoint': {
    doc: 'Path of the script that builds the project.',
    example: 'scripts/build.sh',
  },
  'workspace.scripts.configDir': {
    doc: 'Folder with one file for each build target; ben10 reads TARGET_NAME, TARGET_DESCRIPTION, CONTAINER_NAME, LUNCH_TARGET, CAN_EMULATOR and CAN_FLASH.',
    example: 'scripts/config',
  },
  'workspace.scripts.configPattern': {
    doc: 'Which files of that folder are build targets; * and ? match within a name.',
    example: '*.target',
  },
  'workspace.containers.runtime': {
    doc: 'Which program lists containers: auto uses docker and podman if installed, none turns this off.',
    example: 'podman',
  },
  'workspace.hints.default': {
    doc: 'What a model should know first about this project.',
    example: 'build-inside-the-container',
  },
  'workspace.history.enabled': {
    doc: 'Show recent commands in the development context.',
    example: 'false',
  },
  'workspace.history.patterns': {
    doc: 'Which commands are shown: those that contain one of these texts (* matches anything, ^ the start). The lists of all files apply. If empty, every command that changes something.',
    example: '^lunch bitbake',
  },
  'workspace.history.maxEntries': {
    doc: 'How many recent commands are shown.',
    example: '20',
  },
  'workspace.git.enabled': {
    doc: 'Show branches, changes and recent commits from git.',
    example: 'false',
  },
  'workspace.watch': {
    doc: 'While idle, the server checks the environment, so that a stopped container or another branch is reported at the next prompt.',
    example: 'false',
  },
  'usage.prices': {
    doc: 'Prices for ben10 usage, which come before its own: a model (* stands for any characters) and dollars per million tokens of input, output, cache write, cache read, and if you like of what is cached for an hour.',
    example: '"claude-opus-5* 5 25 6.25 0.5"',
  },
  'packs.budgetTokens': {
    doc: 'The most tokens that a new context pack renders; ben10 pack set changes it for one.',
    example: '24000',
  },
  'packs.tokenizer': {
    doc: 'How tokens are counted for a new context pack.',
    example: 'o200k',
  },
  'packs.keep': {
    doc: 'How many renderings without a name are kept, such as those that were given to a model. Those that you named stay as well.',
    example: '50',
  },
  'packs.keepDays': {
    doc: 'Days after which a rendering without a name is removed. Those that you named stay.',
    example: '7',
  },
  'packs.maxStorageMb': {
    doc: 'Size limit of all kept renderings together; the oldest without a name are removed first.',
    example: '20',
  },
  'packs.deny': {
    doc: 'Files that never come into a context pack, besides those that often hold secrets. Patterns as in context.excludePatterns.',
    example: 'internal/** *.sql',
  },
  'packs.commandTimeoutS': {
    doc: 'How long a command may run whose output is taken into a context pack.',
    example: '300',
  },
  'monitor.levels.l1': {
    doc: 'How full the context is, in percent, when the model is told to finish what it is doing. A known compaction point brings it forward.',
    example: '65',
  },
  'monitor.levels.l2': {
    doc: 'Percent at which a checkpoint is taken: work in progress is committed and a handoff written. Above l1.',
    example: '80',
  },
  'monitor.levels.l3': {
    doc: 'Percent at which that is done at once. Above l2.',
    example: '90',
  },
  'monitor.window': {
    doc: 'Size of the context window. 0: as the client says, else by the model.',
    example: '200000',
  },
  'monitor.compactAt': {
    doc: 'Where the client compacts by itself, in tokens; auto learns it from earlier compactions, off says that it does not compact.',
    example: '167000',
  },
  'monitor.wip': {
    doc: 'Where a checkpoint commits work in progress: on the branch where nothing of yours is disturbed, always under refs/ben10/wip (ref), or nowhere (off).',
    example: 'ref',
  },
  'monitor.issuePattern': {
    doc: 'What an issue is called in the names of branches and tasks: a JavaScript regular expression.',
    example: '#[0-9]+',
  },
  'monitor.stopHintAt': {
    doc: 'Percent from which you are told once a session of a good moment to go on in a new one: tests passed, a commit, a todo done. Never if 0.',
    example: '60',
  },
  'monitor.budgetUsd': {
    doc: 'What a session may cost by the client’s own count: you are told at 80 and at 100 percent of it. Any if 0.',
    example: '5',
  },
  'handoff.commit': {
    doc: 'Commit the handoff document along with the work in progress.',
    example: 'true',
  },
  'tracker.kind': {
    doc: 'Where checkpoints are told to the issue that is in work: linear (with the key in LINEAR_API_KEY), github (by gh), or nowhere.',
    example: 'linear',
  },
  'tracker.send': {
    doc: "What the issue's comment holds: the handoff document, or only its path, hash and next steps (summary).",
    example: 'summary',
  },
  'tracker.label': {
    doc: 'The label that an issue with a checkpoint gets; it is made if its team has none of the name. None if it is empty.',
    example: 'handed-off',
  },
  'tracker.linear.state': {
    doc: 'The state that an issue goes to which was not started yet. If it is empty, the first state of its team in which work is started.',
    example: 'Doing',
  },
  'retention.events': {
    doc: 'Age, such as 90d, at which ben10 compact drops events, by whole segments; never keeps all. Their final states, saves and snapshots stay; earlier points cannot be replayed any more.',
    example: '90d',
  },
};

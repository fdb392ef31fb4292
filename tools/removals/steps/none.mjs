/**
 * Lines that look like a safety step and are none of their own.
 * @type {{ file: string, line: string, why: string }[]}
 */
export const NO_STEPS = [
  {
    file: 'packs/compare.ts',
    line: 'if (!payload.subarray(0, head.length).equals(head)) return 0;',
    why: 'counts what two payloads begin with alike',
  },
  {
    file: 'packs/lint.ts',
    line: 'if (found === undefined || found.snapshot.renderHash === rendered.renderHash) return [];',
    why: 'compares what packs render, which can be rendered again: nothing of the journal',
  },
  {
    file: 'packs/verify.ts',
    line: 'isSame: before.renderHash === after.renderHash,',
    why: 'compares what packs render, which can be rendered again: nothing of the journal',
  },
  {
    file: 'cli/ui/pack-diff.ts',
    line: "before.renderHash === after.renderHash ? '' : ', but their order or policy differs';",
    why: 'compares what packs render, which can be rendered again: nothing of the journal',
  },
  {
    file: 'mcp/tools/packs-render.ts',
    line: 'if (rendered.payloadHash !== hash) {',
    why: 'compares what packs render, which can be rendered again: nothing of the journal',
  },
  {
    file: 'packs/kept/anew.ts',
    line: 'if (now.payloadHash === payloadHash) return sideOf(project, now);',
    why: 'the same; tests/packs/kept/snapshots.test.ts changes a file of a lost payload',
  },
  {
    file: 'packs/kept/retention.ts',
    line: 'syncFolders(ports, nobodys.map(dirname));',
    why: 'a file that comes back is nobody’s again, and goes with the next sweep',
  },
  {
    file: 'packs/kept/snapshots.ts',
    line: 'if (before?.renderHash === rendered.renderHash && before.label === undefined) {',
    why: 'compares what packs render, which can be rendered again: nothing of the journal',
  },
  {
    file: 'packs/kept/snapshots.ts',
    line: "if (found !== undefined && sha256(found.payload).toString('hex') === payloadHash) return found;",
    why: 'the container’s sums say it before; here only an event that names another payload is found out',
  },
  {
    file: 'packs/kept/stale.ts',
    line: 'if (snapshot.renderHash === rendered.renderHash) return { snapshot, items: 0, tokens };',
    why: 'compares what packs render, which can be rendered again: nothing of the journal',
  },
  {
    file: 'packs/sources/at-point.ts',
    line: "return typeof now !== 'string' && nameOf(now).hash === hash ? now : 'unknown_then';",
    why: 'whether a file is as a session saw it, not whether something is damaged',
  },
  {
    file: 'packs/sources/at-point.ts',
    line: "known !== 'gone' && known?.text !== undefined && contentHash(known.text) === hash;",
    why: 'the same',
  },
  {
    file: 'search/files.ts',
    line: 'if (run?.file.range.chainBefore.equals(runs.at(-1)?.file.range.chainAt ?? START) !== true) {',
    why: 'the search index can be made again; tests/search/keep-up.test.ts, which runs the program and is no catcher, spoils it',
  },
  {
    file: 'search/keep-up.ts',
    line: 'return seq === 0 || this.#chainAt(seq)?.equals(chain) === true;',
    why: 'the same, by an index of another journal',
  },
  {
    file: 'journal/format/manifest.ts',
    line: 'value = Buffer.from(text).equals(line) ? JSON.parse(text) : undefined;',
    why: 'the sum above it says already that the line is what somebody wrote',
  },
  {
    file: 'journal/format/container.ts',
    line: 'xxh64(bytes.subarray(0, CONTAINER.checksum), 0n) === readBigU64(bytes, CONTAINER.checksum)',
    why: 'tells a container of a later version from a damaged one; neither is read',
  },
  {
    file: 'platform/sha256.ts',
    line: 'return sha256(input).equals(digests.subarray(from, from + SHA256_BYTES));',
    why: 'what the commitments and the chain are compared with: their own steps take the comparisons away',
  },
  {
    file: 'journal/append/active.ts',
    line: 'this.#ports.fs.datasync(this.tail.fd);',
    why: 'what the steps call that take a sync of the active segment away',
  },
  {
    file: 'journal/read/sealed.ts',
    line: 'headerAt(bytes, offset).equals(',
    why: 'what "chunk headers in place against the index, in verify" takes away',
  },
  {
    file: 'journal/append/locked-journal.ts',
    line: 'this.#leavingDistrusted(() => sync(this.#ports, this.#active));',
    why: 'what "sync of a request that somebody else had written" takes away',
  },
  {
    file: 'journal/append/writer.ts',
    line: 'sync(this.#ports, this.#active);',
    why: 'what "sync of an append" and "sync of a running server" take away',
  },
  ...[
    'do taken = this.#locked(this.#options.lockBudgetMs, () => this.#openAndDrain());',
    'const rotated = this.#locked(this.#options.lockBudgetMs, () => {',
    'const isDue = this.#locked(0, () => {',
  ].map((line) => ({
    file: 'journal/append/writer.ts',
    line,
    why: 'the lock that "lock of an append" takes away',
  })),
  ...[
    ['journal/erase/job.ts', 'const done = withLocks(ports, root, LOCK_BUDGET_MS, () => {'],
    ['journal/erase/resume.ts', 'return withLocks(ports, root, LOCK_BUDGET_MS, () => {'],
  ].map(([file, line]) => ({
    file,
    line,
    why: 'the two locks that the steps in erase-locks.ts take away, one at a time',
  })),
  {
    file: 'journal/repair/repair.ts',
    line: 'const held = lock.hold(LOCK_BUDGET_MS, work);',
    why: 'the lock that the three steps of what a repair does beside appends take away, one at a time',
  },
  {
    file: 'projections/folds/workspace.ts',
    line: 'if (fact.session !== null && fieldOf(state.told, nameOf(fact.session)) === undefined)',
    why: 'asks whether a session was told of changes before',
  },
  {
    file: 'journal/repair/sealed.ts',
    line: 'const isKnown = header.firstSeq === 1 || !header.prevChain.equals(UNKNOWN_CHAIN);',
    why: 'asks whether a chain is known, and believes nothing for it',
  },
  ...[
    'const isSame = repair.pieces.length === 1 && first?.bytes.equals(bytes) === true;',
    'const isHeaderNew = !encodeSegmentHeader(header, ports.xxh64).equals(headOf(bytes));',
    'if (mended.equals(bytes)) return undefined;',
    'return headOf(mended).equals(headOf(bytes))',
  ].map((line) => ({
    file: 'journal/repair/segment.ts',
    line,
    why: 'asks what a repair has changed, to say so; what it made is judged by assertSound',
  })),
  {
    file: 'platform/codecs/lz4.ts',
    line: 'const isOurs = frame.subarray(0, FRAME_HEAD.length).equals(FRAME_HEAD);',
    why: 'a magic number',
  },
  {
    file: 'hook/code-cache.ts',
    line: 'isWhole = part.equals(other);',
    why: 'no part of the journal; tests/hook/code-cache.test.ts damages the cache of the built program',
  },
  {
    file: 'hook/code-cache.ts',
    line: 'fdatasyncSync(fd);',
    why: 'no part of the journal: without it a loss of power costs the cache, which is kept twice and compared',
  },
  {
    file: 'timetravel/file-on-disk.ts',
    line: "if (nameOf(bytes).hash === hash) return { status: 'unchanged' };",
    why: "no part of the journal: compares a user's file with what was seen of it",
  },
  {
    file: 'timetravel/changed-underneath.ts',
    line: "return hash === known.hash || hash === dismissed ? undefined : 'changed';",
    why: "no part of the journal: compares a user's file with what was seen of it",
  },
  {
    file: 'timetravel/stored-files.ts',
    line: 'const isOther = snapshot !== undefined && hash !== contentHash;',
    why: 'asks whether an event has to say the new sum: a state is stored by what it is now',
  },
  {
    file: 'mcp/syncing.ts',
    line: 'sync();',
    why: 'what "sync of a running server" takes away',
  },
  {
    file: 'cli/commands/scan.ts',
    line: "const verdict = checksum === null ? '' : checksum ? ', checksum right' : ', checksum wrong';",
    why: "no part of the journal: a found token's own checksum",
  },
  {
    file: 'loop/hold.ts',
    line: 'return lock.hold(0, () => true) === undefined && !lock.isImpossible;',
    why: 'no part of the journal: only asks whether a loop is at work',
  },
  {
    file: 'capture/redaction/table/checksum-of.ts',
    line: '(row) => row.id === id && row.hasChecksum && grammarFits(row.grammar, token),',
    why: "no part of the journal: a found token's own checksum",
  },
  {
    file: 'platform/config/files.ts',
    line: "return sha256(bytes).toString('hex') === stamp.sha256;",
    why: 'no part of the journal: whether a configuration is still the one that was read',
  },
  {
    file: 'journal/seal/compact-segment.ts',
    line: 'return isAll && chain.equals(segment.sealed.footer!.endChain);',
    why: 'a second look: the footer has a sum of its own, and it is written from the entries whose chain "a sealed segment reads back the same" compares; no test brings about a footer that is sound and says another chain',
  },
  {
    file: 'handoff/wip.ts',
    line: 'const isSame = before !== undefined && readFileSync(repository.index).equals(before);',
    why: "no part of the journal: whether somebody else wrote git's index meanwhile; `handoff/wip.test.ts` tests it",
  },
  {
    file: 'handoff/verify.ts',
    line: '(entry as Partial<Frame>).isCommitted?.() ?? commitOf(salt, payload).equals(commit);',
    why: 'reads only: whether an event that a handoff names is the one that was written',
  },
  {
    file: 'handoff/take.ts',
    line: 'const held = lock.hold(waitMs, work);',
    why: 'no part of the journal: two checkpoints of one moment; `handoff/take.test.ts` tests it with hooks at the same time',
  },
  {
    file: 'handoff/user-file.ts',
    line: 'nodeFs.syncDir(folder);',
    why: "no part of the journal: a user's document, whose text is in its event, too",
  },
  {
    file: 'handoff/user-file.ts',
    line: "writeFileSync(temporary, text, { flag: 'wx', flush: true });",
    why: "no part of the journal: a user's document, whose text is in its event, too",
  },
  {
    file: 'handoff/of-project.ts',
    line: '(one) => nameOf(one) === name || (name.length >= 4 && one.checkpoint.startsWith(name)),',
    why: 'the name of a document: no sum',
  },
  {
    file: 'handoff/since.ts',
    line: '(one) => (one.changedSeq ?? 0) > upto && tree.nameOf(one.path) === name,',
    why: 'names of files: no sum',
  },
  {
    file: 'monitor/size.ts',
    line: 'const factor = count === 0 ? 1 : Math.exp((sum / count) * (count / (count + SHRINK)));',
    why: 'the sum of what was measured: arithmetic',
  },
  {
    file: 'journal/append/writer.ts',
    line: 'const done = this.#locked(this.#options.lockBudgetMs, () => this.appendLocked([event]));',
    why: 'who was first to tell of a level: `monitor/look.test.ts` tests it with writers at the same time; the lock of all other appends is a step',
  },
  {
    file: 'journal/append/writer.ts',
    line: 'if (done !== undefined && isSyncDue(this.#ports, this.#active, [event])) this.#sync();',
    why: 'an alert may be lost with the power: it is told once more then',
  },
  {
    file: 'monitor/costs.ts',
    line: '...costsOf(renewals.filter((one) => nameOf(one) === name)),',
    why: 'groups what compactions cost by the name of a week or a session',
  },
];

import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { headOf } from '../../src/events/decode.ts';
import { encodeEvent } from '../../src/events/encode.ts';
import type { EventData, EventType, Source } from '../../src/events/types.ts';
import { spool } from '../../src/journal/append/inbox.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import { FRAME_FLAG } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import type { JournalReader } from '../../src/journal/read/reader.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import { costOf } from '../../src/status/cost.ts';
import { HOOK_MS_MAX, HOOK_MS_MIN, HOOK_TYPES, hookTimesIn } from '../../src/status/hook-times.ts';
import { status } from '../../src/status/status.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { ben10 } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { anEvent, NOON } from '../log/events.ts';
import { realPorts, scratch } from '../support.ts';
import { testProject } from '../timetravel/project.ts';
import { codecs, DAY_MS, reopened, segmentBytes } from '../timetravel/retention/old.ts';

const storeOf = ({ ports, layout, lz4, decoders }: Project) =>
  new CheckpointStore(ports, layout, { lz4, decoders }, 0);

const timesOf = (project: Project) => {
  const { hookCalls, hookMs, hookP95Ms } = status(project).cost;
  return { hookCalls, hookMs, hookP95Ms };
};
const NONE = { hookCalls: 0, hookMs: null, hookP95Ms: null };

const isOfHook = (entry: Entry) => HOOK_TYPES.includes(headOf(entry)?.type as EventType);

/** A project whose wall clock is what is set. */
function timed(segmentBytes?: number) {
  const shown = { now: NOON };
  const clock = { ...realPorts.clock, now: () => shown.now };
  const project = testProject({
    ports: { clock },
    ...(segmentBytes !== undefined && { segmentBytes }),
  });
  // The first one of a segment may come in the millisecond in which that was made.
  project.writer.append([hookOf(0, shown.now)]);
  return { project, shown };
}

/** An event of a hook that was started so many milliseconds before now. */
const hookOf = (ms: number, now: number) =>
  anEvent('hook.received', { event: 'Notification', payload: {} }, { at: now - ms });

/** Appends, at one moment after another, an event of each of so many hooks. */
function lasting(times: readonly number[], segmentBytes?: number) {
  const { project, shown } = timed(segmentBytes);
  for (const ms of times) {
    shown.now += 1000;
    project.writer.append([hookOf(ms, shown.now)]);
  }
  return { project, shown };
}

describe('what hooks cost', () => {
  test('is the time from the start of each of their processes until its event was appended', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    const where = { session_id: 's', cwd: dir, transcript_path: '/nowhere/s.jsonl' };
    const calls: [event: string, fields: Record<string, unknown>][] = [
      ['SessionStart', { source: 'startup' }],
      ['UserPromptSubmit', { prompt: 'Build it.', prompt_id: 'p' }],
      ['PreToolUse', toolCall('one')],
      ['PostToolUse', { ...toolCall('one'), hook_event_name: 'PostToolUse', tool_response: 'ok' }],
      ['PreToolUse', toolCall('two')],
      ['PostToolUseFailure', { ...toolCall('two'), hook_event_name: '', error: 'no' }],
      ['SubagentStart', { agent_id: 'a', agent_type: 'Explore' }],
      ['SubagentStop', { agent_id: 'a', agent_type: 'Explore' }],
      ['Notification', { message: 'it waits' }],
      ['PreCompact', { trigger: 'auto' }],
      ['PostCompact', { trigger: 'auto', compact_summary: 'We built it.' }],
      ['Stop', {}],
      ['SessionEnd', { reason: 'other' }],
    ];
    const took: number[] = [];
    for (const [event, fields] of calls) {
      const run = await runHook(dir, event, { ...where, ...fields, hook_event_name: event });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      took.push(run.ms);
    }
    const project = openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock! });
    const { hookCalls, hookMs, hookP95Ms } = timesOf(project);
    // A hook that finds the lock taken, by what one before it left to do, tells no time; nor does one that drains for it.
    const waited = [...project.reader.entries()].filter(
      ({ entry }) =>
        entry && isOfHook(entry) && (entry.flags & FRAME_FLAG.fromInbox || entry.hlc.count),
    ).length;
    expect(waited).toBeLessThan(3);
    // But for calls, which may have come with their outcomes.
    expect(hookCalls).toBe(calls.length - 2 - waited);
    expect(hookMs).toBeGreaterThanOrEqual(HOOK_MS_MIN);
    expect(hookP95Ms).toBeGreaterThanOrEqual(hookMs!);
    expect(hookP95Ms).toBeLessThanOrEqual(Math.max(...took));
    const { stdout } = ben10(dir, ['status']);
    expect(stdout).toMatch(
      new RegExp(`^ +hooks +${hookCalls} calls, median \\S+ m?s, p95 \\S+ m?s$`, 'm'),
    );
  });

  test('is told by median and by what 95 % of them did not exceed', () => {
    const times = Array.from({ length: 100 }, (_, n) => (n < 90 ? 30 : 500));
    const { project } = lasting(times);
    expect(timesOf(project)).toEqual({ hookCalls: 100, hookMs: 30, hookP95Ms: 496 });
    expect(timesOf(lasting([]).project)).toEqual(NONE);
  });

  test('is not told by events of others, nor by what ben10 adds of its own', () => {
    const { project, shown } = timed();
    const add = <T extends EventType>(type: T, source: Source, data: EventData[T]) => {
      shown.now += 1000;
      const id = Buffer.alloc(16);
      realPorts.random.fill(id);
      const who = { session: 's', agent: null, client: 'test', at: shown.now - 40 };
      project.writer.append([encodeEvent({ id, type, source, ...who, data }, xxh64)]);
    };
    for (const source of ['mcp-hook', 'transcript', 'import', 'tool', 'cli'] as const)
      add('turn.ended', source, {});
    add('context.cleared', 'hook', { upto: 1 });
    expect(timesOf(project)).toEqual(NONE);
    add('turn.ended', 'hook', {});
    expect(timesOf(project)).toMatchObject({ hookCalls: 1, hookMs: 40 });
  });

  test('is not told by what waited in the inbox', () => {
    const { project, shown } = lasting([40]);
    spool(project.ports, project.layout, [hookOf(40, shown.now)]);
    shown.now += 3000;
    expect(project.writer.drain()).toBe(true);
    shown.now += 1000;
    project.writer.append([hookOf(60, shown.now)]);
    expect(status(project).journal).toMatchObject({ events: 4, inbox: 0 });
    expect(timesOf(project)).toMatchObject({ hookCalls: 2, hookMs: 40, hookP95Ms: 60 });
  });

  test('is not told while a clock that was set back has not caught up, nor by a time that no hook takes', () => {
    const { project, shown } = lasting([40]);
    shown.now -= 2000;
    project.writer.append([hookOf(40, shown.now)]);
    shown.now += 5000;
    for (const ms of [HOOK_MS_MIN - 1, HOOK_MS_MAX + 1, -40]) {
      shown.now += 1000;
      project.writer.append([hookOf(ms, shown.now)]);
    }
    expect(timesOf(project)).toMatchObject({ hookCalls: 1, hookMs: 40 });
  });

  test('of a long journal is read once, and goes on with what is appended', () => {
    const { project, shown } = timed();
    for (let n = 0; n < 600; n += 1) {
      shown.now += 50;
      project.writer.append([hookOf(30, shown.now)]);
    }
    expect(timesOf(project)).toMatchObject({ hookCalls: 600 });
    shown.now += 50;
    project.writer.append([hookOf(30, shown.now)]);
    const asked: number[] = [];
    const { reader } = project;
    const batches: JournalReader['batches'] = (from, to, room) => {
      asked.push(from!);
      return reader.batches(from, to, room);
    };
    const watched = { ...project, reader: { refused: 0, batches } as JournalReader };
    expect(hookTimesIn(costOf(watched, storeOf(project)).hooks)).toMatchObject({
      calls: 601,
      medianMs: 30,
    });
    expect(asked).toEqual([602]);
  });

  test('does not count what was erased or dropped, though it was counted before', () => {
    const { project, shown } = timed(segmentBytes);
    const given = { event: 'SessionStart', source: 'compact', chars: 310, items: [] };
    project.writer.append([anEvent('recall.injected', given, { at: shown.now })]);
    for (let n = 0; n < 600; n += 1) {
      shown.now += 1000;
      project.writer.append([hookOf(30, shown.now)]);
    }
    const { hookCalls } = timesOf(project);
    expect(hookCalls).toBeGreaterThan(550);
    const chars = () => status(reopened(project)).cost.injectedChars;
    expect(chars()).toBe(310);
    const { ports, root, reader } = project;
    const events = [{ origin: reader.origin()!, seq: 3 }];
    const choice = { by: 'event' as const, events, blobs: [], files: [] };
    eraseEvents(ports, root, codecs, () => choice);
    expect(timesOf(reopened(project))).toMatchObject({ hookCalls: hookCalls - 1 });
    shown.now += 40 * DAY_MS;
    project.writer.append([hookOf(40, shown.now)]);
    const { events: dropped } = dropOld(reopened(project), 30, codecs)!;
    const left = timesOf(reopened(project)).hookCalls;
    expect(left).toBeLessThanOrEqual(hookCalls - dropped + 50);
    rmSync(project.layout.checkpoints, { recursive: true });
    expect(timesOf(reopened(project)).hookCalls).toBe(left);
    // What was put into the context is known of what was dropped, too.
    expect(chars()).toBe(310);
  });
});

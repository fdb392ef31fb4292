/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientIsHere } from './driver/client-install.ts';
import { outcomesInHooks, outcomesInTranscripts, outcomesSeenByModel } from './driver/outcomes.ts';
import { everyRecord, ofEvent, type Played, play } from './driver/play.ts';
import { userPrompts, wholeText } from './driver/requests.ts';
import { createSandbox, type Sandbox } from './driver/sandbox.ts';
import { WORKING_PROMPTS, WORKING_SUMMARY, workingSession } from './driver/sessions/working.ts';
import { readTranscript, transcriptFiles } from './driver/transcripts.ts';

describe.runIf(clientIsHere())('a working session of the real client', () => {
  let sandbox: Sandbox;
  let played: Played;
  beforeAll(async () => {
    sandbox = createSandbox();
    played = await play(sandbox, workingSession);
  });
  afterAll(() => sandbox.dispose());

  it('is told by its hooks and its transcripts as the model saw it', () => {
    const { runs, requests, hooks, home } = played;
    const { first, queued, goOn, afterClear } = WORKING_PROMPTS;

    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(3).fill([0, '']));
    expect(userPrompts(requests)).toEqual([first, queued, goOn, afterClear]);
    const prompts = ofEvent(hooks, 'UserPromptSubmit').map(({ prompt }) => prompt);
    expect(prompts).toEqual([first, queued, goOn, afterClear]);
    const outcomes = outcomesSeenByModel(requests);
    expect(outcomes.filter((line) => line.endsWith('failed'))).toHaveLength(1);
    expect(outcomes).toHaveLength(13);
    expect(outcomesInHooks(hooks)).toEqual(outcomes);
    expect(outcomesInTranscripts(everyRecord(home))).toEqual(outcomes);
    const tasks = ofEvent(hooks, 'TaskCreated').map(({ task_id, task_subject }) => [
      task_id,
      task_subject,
    ]);
    expect(tasks).toEqual([
      ['1', 'Add due dates'],
      ['2', 'Overdue filter'],
    ]);
    expect(ofEvent(hooks, 'TaskCompleted').map(({ task_id }) => task_id)).toEqual(['1']);
  });

  it('is compacted with the words of the user, and goes on from the summary', () => {
    const { runs, hooks } = played;
    const [working, compacted, goingOn] = runs;

    expect(compacted?.requests.map(({ kind }) => kind)).toEqual(['compaction']);
    expect(wholeText(compacted!.requests[0]!)).toContain('keep the file names');
    expect(ofEvent(hooks, 'PreCompact')).toMatchObject([
      { trigger: 'manual', custom_instructions: 'keep the file names' },
    ]);
    expect(ofEvent(hooks, 'PostCompact')).toMatchObject([
      { compact_summary: `<summary>${WORKING_SUMMARY}</summary>` },
    ]);
    const told = wholeText(goingOn!.requests[0]!);
    expect(told).toContain(WORKING_SUMMARY);
    expect(told).not.toContain(WORKING_PROMPTS.first);
    const records = readTranscript(working!.transcript!);
    expect(records.filter(({ isCompactSummary }) => isCompactSummary)).toHaveLength(1);
  });

  it('is resumed under its id, and ends with /clear, which begins another', () => {
    const { runs, hooks, home } = played;
    const [working, compacted, goingOn] = runs;

    expect(compacted?.sessionId).toBe(working?.sessionId);
    expect(goingOn?.sessionId).toBe(working?.sessionId);
    const starts = ofEvent(hooks, 'SessionStart');
    expect(starts.map(({ source }) => source)).toEqual([
      'startup',
      'resume',
      'compact',
      'resume',
      'clear',
    ]);
    expect(starts.at(-1)?.session_id).not.toBe(working?.sessionId);
    expect(transcriptFiles(home)).toHaveLength(2);
  });
});

// What a handoff of a long journal takes, as a hook finds it: the states of the last turn are stored. Each time with nothing in memory.
import { keepTurns, projectWith } from './lib/journal.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, script, valueRow } from './lib/report.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 5 : 15;

await script('handoff', async () => {
  const program = await loadProgram();
  const { openProject, lock, loadXxh64, documentOf, verifyHandoff, handoffs, handoffsOf } = program;
  const hash = await loadXxh64();
  const dir = projectWith(EVENTS, program);
  await keepTurns(dir, program);
  await keepTurns(dir, { ...program, context: program.evidence });
  const opened = () => openProject(dir, { lockBudgetMs: 5000, lock, hash });
  const begun = {
    checkpoint: 'be0c'.repeat(4),
    level: 'L2',
    trigger: 'turn-end',
    percent: 86,
    epoch: 'start',
    worktree: '.',
  };
  const first = opened();
  const session = first.states.activeSession();
  const append = (type, data) => {
    const { seqs } = first.recorder.append([first.recorder.ownEvent(type, session, data, 'tool')]);
    return seqs[0];
  };
  const seq = append('checkpoint.begun', begun);
  const written = documentOf(first, { ...begun, seq });
  const { text, title, concepts, claims, nextSteps, file, upto, chain } = written;
  const known = { title, concepts, claims, nextSteps, file, upto, chain, text };
  const { checkpoint, level, worktree } = begun;
  append('handoff.created', { checkpoint, level, worktree, type: 'change', sha256: '', ...known });
  first.close();

  const timed = (work) =>
    Array.from({ length: ROUNDS }, () => {
      const project = opened();
      const start = performance.now();
      work(project);
      const took = performance.now() - start;
      project.close();
      return took;
    });
  const verifies = (project) =>
    verifyHandoff(project, handoffsOf(project.states.at(handoffs, null).state)[0]);
  const about = `${EVENTS} events, ${claims.length} claims`;
  const { checked } = verifies(opened());
  const held = checked.filter(({ verdict }) => verdict === 'holds');
  if (held.length < checked.length / 2) throw new Error(`${held.length} claims hold`);
  return [
    valueRow(
      `handoff of ${about}`,
      timed((project) => documentOf(project, { ...begun, seq })),
      'ms',
      300,
    ),
    valueRow(`verify of ${about}`, timed(verifies), 'ms', 200),
  ];
});

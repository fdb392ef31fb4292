import { expect, test } from 'vitest';
import type { ContextAlerted } from '../../src/events/types.ts';
import { queryLog } from '../../src/log/query.ts';
import { type Alert, look, tell } from '../../src/monitor/look.ts';
import { owed } from '../../src/monitor/mid-turn.ts';
import type { MonitorView } from '../../src/monitor/view.ts';
import type { FileLock } from '../../src/platform/lock.ts';
import type { Project } from '../../src/project/open.ts';
import { realPorts } from '../ports.ts';
import { seeded } from '../seeded.ts';
import { openTestProject } from '../support.ts';
import { tell as record, saw, used } from '../tell.ts';
import { SETTINGS } from './settings.ts';

/** As long as the handoffs' tests: all of them with `BEN10_WHOLE=1`. */
const RUNS = process.env.BEN10_WHOLE === '1' ? 10_000 : 200;
const SEED = Number(process.env.BEN10_SEED);
const RUNS_A_JOURNAL = 50;
const STEPS = 12;
const LOOKERS = 3;
const DEPTH = 2;

interface Looker {
  project: Project;
  isDead: boolean;
  /** What the server read, and tells with its next answer. */
  waiting: Alert | undefined;
}

/** Processes that look at one session. Whenever one comes to the lock or leaves it, others may run, or it dies. */
class World {
  readonly told: string[] = [];
  /** Told by a process that died before it could print. */
  readonly lost: string[] = [];
  session = '';
  /** Counts what met in the middle of a look. */
  met = 0;
  #tokens = 0;
  #n = 0;
  #depth = 0;
  #isQuiet = true;
  readonly #random: () => number;
  readonly #client = openTestProject();
  readonly #lookers = Array.from({ length: LOOKERS }, () => this.#start());

  constructor(random: () => number) {
    this.#random = random;
  }

  /** One session, from its first call on, until everybody is at rest. */
  run(session: string): MonitorView {
    this.session = session;
    this.#tokens = 120_000;
    this.#isQuiet = false;
    for (let step = 0; step < STEPS; step += 1) this.#step();
    this.#isQuiet = true;
    for (const looker of this.#lookers) this.#tellWaiting(looker);
    return this.#look(this.#lookers[0]!, 'UserPromptSubmit');
  }

  alerts(): ContextAlerted[] {
    const { session } = this;
    const found = queryLog(this.#client, { types: ['context.alerted'], session });
    return [...found].map(({ data }) => data as ContextAlerted);
  }

  #start(): Looker {
    const looker = { isDead: false, waiting: undefined } as Partial<Looker> as Looker;
    const real = realPorts.lock!;
    const lock: FileLock = {
      tryLock: (fd) => {
        this.#meet(looker);
        const isBusy = !this.#isQuiet && this.#random() < 0.05;
        return !looker.isDead && !isBusy && real.tryLock(fd);
      },
      unlock: (fd) => {
        real.unlock(fd);
        this.#meet(looker);
      },
    };
    looker.project = openTestProject(this.#client.dir, { lock, lockBudgetMs: 0 });
    return looker;
  }

  #meet(looker: Looker): void {
    if (this.#isQuiet || this.#depth >= DEPTH || looker.isDead) return;
    this.#depth += 1;
    for (; this.#random() < 0.4; this.met += 1) this.#step(looker);
    this.#depth -= 1;
    looker.isDead = this.#random() < 0.05;
  }

  readonly #isInside = new Set<Looker>();

  #step(except?: Looker): void {
    const kind = this.#random();
    const free = this.#lookers.filter((one) => one !== except && !this.#isInside.has(one));
    const looker = free[Math.floor(this.#random() * free.length)];
    if (kind < 0.3) this.#use();
    else if (kind < 0.36) this.#compact();
    else if (looker !== undefined) this.#let(looker, kind);
  }

  #let(looker: Looker, kind: number): void {
    this.#isInside.add(looker);
    if (kind < 0.55) this.#lookAhead(looker);
    else if (kind < 0.7) this.#tellWaiting(looker);
    else this.#look(looker, kind < 0.78 ? undefined : 'PostToolUse');
    this.#isInside.delete(looker);
    if (looker.isDead) this.#lookers[this.#lookers.indexOf(looker)] = this.#start();
  }

  #look(looker: Looker, carrier: string | undefined): MonitorView {
    const { text, view } = look(looker.project, this.session, SETTINGS, carrier);
    if (carrier === undefined) expect(text).toBeUndefined();
    this.#print(looker, text);
    return view;
  }

  #lookAhead(looker: Looker): void {
    looker.waiting = look(looker.project, this.session, SETTINGS).alert;
  }

  #tellWaiting(looker: Looker): void {
    const { waiting } = looker;
    looker.waiting = undefined;
    if (waiting?.session === this.session)
      this.#print(looker, tell(looker.project, waiting, 'PostToolUse'));
  }

  #print(looker: Looker, text: string | undefined): void {
    const [, level] = /^<ben10-context-(L\d)>/.exec(text ?? '') ?? [];
    if (level !== undefined) (looker.isDead ? this.lost : this.told).push(level);
  }

  #use(): void {
    this.#tokens = Math.min(198_000, this.#tokens + Math.round(this.#random() * 30_000) - 4_000);
    this.#n += 1;
    record(this.#client, used(`m${this.#n}`, this.#tokens, this.#about()));
  }

  #compact(): void {
    this.#n += 1;
    const data = { trigger: 'auto', summary: 'x', preTokens: this.#tokens, postTokens: 90_000 };
    this.#tokens = 90_000;
    const about = { fact: `compaction ${this.#n}`, ...this.#about() };
    record(this.#client, saw('compaction.finished', data, about));
  }

  #about() {
    return { session: this.session, at: this.#n };
  }
}

test('a level is told exactly once an epoch, whoever looks, tells, dies or compacts in between', {
  tags: 'long',
  timeout: 1_800_000,
}, () => {
  let world = new World(seeded(SEED));
  let [met, levels, lost] = [0, 0, 0];
  for (let run = 0; run < RUNS; run += 1) {
    const random = seeded(SEED * 1_000_003 + run);
    if (run % RUNS_A_JOURNAL === 0) world = new World(random);
    const before = [world.told.length, world.lost.length];
    const view = world.run(`s${run}`);
    const alerts = world.alerts();
    const where = `run ${run} of BEN10_SEED=${SEED}`;
    expect(owed(view), where).toBeUndefined();
    const names = alerts.map(({ epoch, level }) => `${epoch} ${level}`);
    expect(new Set(names).size, where).toBe(names.length);
    const printed = [...world.told.slice(before[0]), ...world.lost.slice(before[1])].sort();
    expect(printed, where).toEqual(alerts.map(({ level }) => level).sort());
    levels += alerts.length;
    lost += world.lost.length - before[1]!;
    met = world.met;
  }
  expect(met).toBeGreaterThan(0);
  expect(levels).toBeGreaterThan(RUNS / 4);
  expect(lost).toBeLessThan(levels / 4);
});

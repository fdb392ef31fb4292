// Runs the tests of one file in one plain process: what `vitest` gives the tests of the journal, without the second that
// starting it takes. It stands in for the package `vitest` when a test file is bundled (see `bundle.mjs`).
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// Both belong to vitest, whose own matchers these are.
const require = createRequire(createRequire(import.meta.url).resolve('vitest'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [{ JestAsymmetricMatchers, JestChaiExpect, JestExtend, ...matchers }, chai] =
  await Promise.all([load('@vitest/expect'), load('chai')]);
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
matchers.setState({ assertionCalls: 0 }, globalThis[matchers.GLOBAL_EXPECT] ?? chai.expect);
export const expect = Object.assign(
  (value, message) => chai.expect(value, message),
  globalThis[matchers.GLOBAL_EXPECT] ?? chai.expect,
  matchers.customMatchers,
);

const newSuite = (name, parent) => ({
  name,
  parent,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});
const tests = [];
let suite = newSuite('', undefined);
let finished = [];

/** Options, such as tags, may stand before the work, and a timeout behind it. */
const workIn = (rest) => rest.find((one) => typeof one === 'function');

/** The rows of a table as arguments, and a name for each that is its own. */
function each(declare) {
  return (rows) =>
    (name, ...rest) => {
      for (const [index, row] of rows.entries()) {
        const given = Array.isArray(row) ? row : [row];
        declare(`${name} [${index}]`, () => workIn(rest)(...given));
      }
    };
}

function declareSuite(name, ...rest) {
  const outer = suite;
  suite = newSuite(name, outer);
  workIn(rest)();
  suite = outer;
}

function declareTest(name, ...rest) {
  tests.push({ name: [...namesOf(suite), name].join(' > '), suite, work: workIn(rest) });
}

const namesOf = ({ name, parent }) => (parent === undefined ? [] : [...namesOf(parent), name]);
const nothing = () => {};
const choosable = (declare) =>
  Object.assign(declare, {
    each: each(declare),
    runIf: (isWanted) => (isWanted ? declare : nothing),
    skipIf: (isUnwanted) => (isUnwanted ? nothing : declare),
  });

export const describe = choosable(declareSuite);
export const it = choosable(declareTest);
export const test = it;
export const onTestFinished = (work) => void finished.push(work);
export const beforeAll = (work) => void suite.beforeAll.push(work);
export const afterAll = (work) => void suite.afterAll.push(work);
export const beforeEach = (work) => void suite.beforeEach.push(work);
export const afterEach = (work) => void suite.afterEach.push(work);

const chainOf = (one) => (one === undefined ? [] : [...chainOf(one.parent), one]);

async function runOne({ suite: own, work }, begun) {
  const suites = chainOf(own);
  for (const one of suites) {
    if (begun.has(one)) continue;
    begun.add(one);
    for (const hook of one.beforeAll) await hook();
  }
  finished = [];
  try {
    for (const one of suites) for (const hook of one.beforeEach) await hook();
    await work();
  } finally {
    for (const one of suites.reverse()) for (const hook of one.afterEach) await hook();
    for (const hook of finished.reverse()) await hook();
  }
}

/**
 * Runs the tests in their order until one fails, and prints one line of JSON: how many passed, and what failed.
 * @param wanted parts of the names of the tests to run; all without any
 */
export async function runAll(wanted) {
  const isChosen = ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part));
  const chosen = tests.filter(isChosen);
  const begun = new Set();
  let passed = 0;
  let failed;
  for (const one of chosen) {
    try {
      await runOne(one, begun);
      passed += 1;
    } catch (error) {
      failed = { name: one.name, error: `${error?.name}: ${error?.message}` };
      break;
    }
  }
  for (const one of begun) for (const hook of one.afterAll) await hook();
  process.stdout.write(`\n${JSON.stringify({ passed, failed })}\n`);
  process.exit(failed === undefined ? 0 : 1);
}

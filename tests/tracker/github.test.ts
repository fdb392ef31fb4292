import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { deliverDue } from '../../src/tracker/deliver.ts';
import { openTestProject, scratch } from '../support.ts';
import { handOff, settingsOf, TRACKED } from './support.ts';

/** A `gh` whose GitHub is a file. It comments before it fails where `late` is in its folder. */
const GH = `#!${process.execPath}
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const dir = __dirname;
const state = JSON.parse(readFileSync(dir + '/state.json', 'utf8'));
const [what, verb, which, ...rest] = process.argv.slice(2);
const of = (name) => rest.find((one) => one.startsWith(name + '='))?.slice(name.length + 1);
state.calls.push([what, verb].join(' '));
let code = 0;
if (what === 'issue' && which !== '7') code = 1;
else if (what === 'issue' && verb === 'view') console.log(JSON.stringify(state.issue));
else if (what === 'issue' && verb === 'comment') {
  const url = 'https://github.com/a/b/issues/7#issuecomment-' + (state.issue.comments.length + 1);
  state.issue.comments.push({ body: of('--body'), url, viewerDidAuthor: true });
} else if (what === 'issue' && verb === 'edit') {
  const name = of('--add-label');
  if (state.labels.includes(name)) state.issue.labels.push({ name });
  else code = 1;
} else if (what === 'label') state.labels.push(which);
else if (what === 'api') {
  const n = Number(/comments\\/(\\d+)$/.exec(which)[1]);
  state.issue.comments[n - 1].body = of('--raw-field').slice('body='.length);
}
writeFileSync(dir + '/state.json', JSON.stringify(state));
if (existsSync(dir + '/late') && verb === 'comment') code = 1;
process.exitCode = code;
`;

interface State {
  issue: { comments: { body: string; viewerDidAuthor: boolean }[]; labels: { name: string }[] };
  labels: string[];
  calls: string[];
}

function fakeGh() {
  const dir = scratch();
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'gh'), GH);
  chmodSync(path.join(dir, 'gh'), 0o755);
  const issue = { title: 'Parser', state: 'OPEN', url: 'https://github.com/a/b/issues/7' };
  const theirs = { body: 'x', url: `${issue.url}#issuecomment-1`, viewerDidAuthor: false };
  const state = { issue: { ...issue, labels: [], comments: [theirs] }, labels: [], calls: [] };
  writeFileSync(path.join(dir, 'state.json'), JSON.stringify(state));
  const read = () => JSON.parse(readFileSync(path.join(dir, 'state.json'), 'utf8')) as State;
  return { dir, read };
}

const settings = settingsOf({ kind: 'github', label: 'paused' });

it('by gh: one comment a session, found again by its mark, and a label', async () => {
  const gh = fakeGh();
  const project: Project = openTestProject(undefined, { tracker: { ...TRACKED, kind: 'github' } });
  const env = { PATH: `${gh.dir}:${process.env.PATH}` };
  const deliver = () => deliverDue(project, settings, { env, isAsked: true });
  handOff(project, { issue: '#7', steps: ['Split it'] });
  // The answer is lost: the comment is there.
  writeFileSync(path.join(gh.dir, 'late'), '');
  expect((await deliver()).failed).toMatchObject([{ code: 'no-answer', issue: '#7' }]);
  writeFileSync(path.join(gh.dir, 'gh'), GH.replace("'/late'", "'/never'"));
  expect((await deliver()).failed).toEqual([]);
  handOff(project, { issue: '#7', steps: ['Then the printer'] });
  handOff(project, { issue: '#8' });
  handOff(project, { issue: 'UTF-8' });
  const { failed, open } = await deliver();
  expect([failed.map(({ code }) => code), open]).toEqual([['no-issue', 'no-answer'], 4]);
  const { issue, labels, calls } = gh.read();
  expect(issue.comments).toHaveLength(2);
  const [theirs, ours] = issue.comments;
  expect(theirs!.body).toBe('x');
  expect(ours!.body).toMatch(
    /Split it[\s\S]*Then the printer[\s\S]*<details>[\s\S]*<!-- ben10 \S+ -->$/,
  );
  expect([issue.labels, labels]).toEqual([[{ name: 'paused' }], ['paused']]);
  expect(calls.filter((call) => call === 'issue comment')).toHaveLength(1);
  const none = await deliverDue(project, settings, { env: { PATH: '' } });
  expect(none.failed).toEqual([{ code: 'no-gh' }]);
});

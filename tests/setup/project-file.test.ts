import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  readProjectFile,
  resolveProject,
  SETTINGS_BYTES_MAX,
} from '../../src/setup/project-file.ts';
import { errorOf, withoutRoot } from '../support.ts';
import { Project } from './project.ts';

const NAME = '.claude/settings.json';
const POSIX = process.platform !== 'win32';

let project: Project;
let outside: Project;
beforeEach(() => {
  project = new Project();
  outside = new Project({ victim: '{}' });
});

const read = (name = NAME) => readProjectFile(project.dir, name);

describe('a file of the project', () => {
  it('is read with its bytes and its mode', () => {
    project.write(NAME, '\ufeff{"a": "ä"}\r\n');
    if (POSIX) fs.chmodSync(project.path(NAME), 0o640);
    const { text, target, mode } = read();
    expect(text).toBe('\ufeff{"a": "ä"}\r\n');
    expect(target).toBe(project.path(NAME));
    if (POSIX) expect(mode).toBe(0o640);
  });

  it('that is not there has a place, also when its folder is not there', () => {
    expect(read()).toEqual({ target: project.path(NAME), text: undefined, mode: undefined });
  });

  it('may have 1 MiB and not a byte more', () => {
    project.write(NAME, ' '.repeat(SETTINGS_BYTES_MAX));
    expect(read().text).toHaveLength(SETTINGS_BYTES_MAX);
    project.write(NAME, ' '.repeat(SETTINGS_BYTES_MAX + 1));
    expect(errorOf(read).code).toBe('LIMIT_EXCEEDED');
  });

  it('that is not UTF-8 is refused, because it could not be written back', () => {
    project.write(NAME, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(errorOf(read).message).toContain('is not UTF-8 text');
    project.write(NAME, Buffer.from('{}', 'utf16le'));
    expect(read().text).toBe('{\0}\0');
  });

  it('that is a folder, or stands under a file, is refused', () => {
    fs.mkdirSync(project.path(NAME), { recursive: true });
    expect(errorOf(read).message).toContain('is not a regular file');
    fs.rmSync(project.path('.claude'), { recursive: true });
    project.write('.claude', 'a file');
    const { message, next } = errorOf(read);
    expect(message).toContain(`${project.path('.claude')} is not a folder`);
    expect(next).toBe(`Move ${project.path('.claude')} away, then run again.`);
  });

  it.runIf(POSIX)('that is a pipe is refused without waiting for its writer', () => {
    fs.mkdirSync(project.path('.claude'));
    execFileSync('mkfifo', [project.path(NAME)]);
    expect(errorOf(read).message).toContain('is not a regular file');
  });

  it.runIf(POSIX)('that may not be read says so', () => {
    project.write(NAME, '{}');
    fs.chmodSync(project.dir, 0o755);
    fs.chmodSync(project.path(NAME), 0o000);
    expect(withoutRoot(() => errorOf(read)).code).toBe('FS_PERMISSION_DENIED');
  });
});

describe('a link', () => {
  it('inside the project is followed, so that it stays a link', () => {
    project.write('shared/settings.json', '{}');
    fs.mkdirSync(project.path('.claude'));
    fs.symlinkSync('../shared/settings.json', project.path(NAME));
    expect(read().target).toBe(project.path('shared/settings.json'));
  });

  it.each(['a file', 'a folder', 'nothing'])('out of the project to %s is refused', (to) => {
    if (to === 'a folder') fs.symlinkSync(outside.dir, project.path('.claude'));
    else {
      fs.mkdirSync(project.path('.claude'));
      fs.symlinkSync(outside.path(to === 'a file' ? 'victim' : 'none'), project.path(NAME));
    }
    const error = errorOf(read);
    expect(error.code).toBe('SETTINGS_INVALID');
    expect(error.message).toBe(`${project.path(NAME)} leads out of the project`);
  });

  it('to itself is refused', () => {
    fs.mkdirSync(project.path('.claude'));
    fs.symlinkSync('settings.json', project.path(NAME));
    expect(errorOf(read).message).toContain('is a link to itself');
  });

  it('in the place of .ben10 is refused, wherever it leads', () => {
    fs.mkdirSync(project.path('real'));
    fs.symlinkSync('real', project.path('.ben10'));
    expect(errorOf(() => read('.ben10/config.yaml')).code).toBe('JOURNAL_UNSAFE');
  });
});

describe('the project', () => {
  it('is a folder, by its real path', () => {
    fs.symlinkSync(project.dir, outside.path('link'));
    expect(resolveProject(outside.path('link'))).toBe(project.dir);
    for (const name of ['none', 'victim', 'victim/below']) {
      expect(errorOf(() => resolveProject(outside.path(name))).code).toBe('FS_NOT_FOUND');
    }
  });
});

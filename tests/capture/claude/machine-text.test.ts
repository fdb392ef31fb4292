import { describe, expect, test } from 'vitest';
import { isMachineText, promptCommand } from '../../../src/capture/claude/machine-text.ts';

describe('text that no user typed', () => {
  test.each([
    '<command-name>/clear</command-name>',
    '  <local-command-stdout>ok',
    '<bash-stdout>x</bash-stdout>',
    '<system-reminder>\nx',
    '<task-notification>\n',
    '<teammate-message teammate_id="lead">\n',
    '[Request interrupted by user]',
    '[Request interrupted by user for tool use]',
  ])('is known by how it begins: %s', (text) => {
    expect(isMachineText(text)).toBe(true);
  });

  test.each([
    'Add <command-name> tags.',
    '<commandname>',
    '<task-notifications> are what?',
    '/nosuch thing',
    '',
  ])('is not: %s', (text) => {
    expect(isMachineText(text)).toBe(false);
  });
});

describe('a command of the project', () => {
  const command = (name: string, args?: string) =>
    `<command-message>x is running…</command-message>\n<command-name>${name}</command-name>${
      args === undefined ? '' : `\n<command-args>${args}</command-args>`
    }`;

  test.each([
    [command('/review', 'src/todo.js'), '/review src/todo.js'],
    [command('/init'), '/init'],
    [command('/init', ''), '/init'],
    [command('review', 'a\nb </command-args> c'), '/review a\nb </command-args> c'],
  ])('reads as it was typed', (text, typed) => {
    expect(promptCommand(text)).toBe(typed);
  });

  test.each([
    '<command-name>/compact</command-name>\n<command-message>compact</command-message>',
    'Please /review it',
    '<command-message>unfinished',
    command(''),
  ])('is not: %s', (text) => {
    expect(promptCommand(text)).toBeUndefined();
  });

  test('takes time in proportion to the text', () => {
    const text = '<command-message>'.repeat(200_000);
    const start = performance.now();
    promptCommand(text);
    isMachineText(' '.repeat(1_000_000));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

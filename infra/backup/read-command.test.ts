import { describe, expect, it } from '@jest/globals';
import { readCommand } from './read-command.ts';

describe('the command line of backups', () => {
  it.each(['create', 'restore', 'verify'] as const)('takes %s with a file', (action) => {
    expect(readCommand([action, 'a.gz'])).toEqual({ action, file: 'a.gz' });
  });

  it.each([[], ['--help'], ['help']])('shows its help (%p)', (...args) => {
    expect(readCommand(args)).toEqual({ action: 'help' });
  });

  it.each([
    [['dump', 'a.gz'], '"dump" is not a command of npm run backup.'],
    [['create'], 'create needs the name of a file.'],
    [['create', 'a', 'b'], 'create takes one file, and "b" is another argument.'],
  ])('refuses %p', (args, message) => {
    expect(() => readCommand(args)).toThrow(message);
  });
});

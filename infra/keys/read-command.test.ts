import { describe, expect, it } from '@jest/globals';
import { readCommand } from './read-command.ts';

describe('npm run keys --', () => {
  it('reads what a key is made of', () => {
    const words = [
      'create',
      '--name',
      'ci',
      '--scopes',
      'scrape, usage',
      '--expires',
      '2999-01-31',
      '--account',
      'acc_shop',
      '--credits',
      '500',
    ];
    expect(readCommand(words)).toEqual({
      action: 'create',
      account: 'acc_shop',
      name: 'ci',
      scopes: ['scrape', 'usage'],
      expiresAt: new Date('2999-01-31'),
      credits: 500,
    });
  });

  it('gives help when nothing is said', () => {
    expect(readCommand([])).toEqual({ action: 'help' });
  });

  it.each([
    [['crate'], 'crate is not a command'],
    [['revoke'], 'needs the id of a key'],
    [['list', 'extra', 'words'], 'words was not expected'],
    [['create', '--scope', 'x'], '--scope'],
    [['create', '--scopes', 'scrape,all'], '--scopes all is not one of'],
    [['create', '--expires', 'yesterday'], 'not a moment in the future'],
    [['create', '--expires', '2001-01-01'], 'not a moment in the future'],
    [['create', '--credits', '-1'], '--credits'],
    [['create', '--credits', '1.5'], 'not a whole number'],
    [['list', '--account', '$ne'], 'is not an account'],
    [['create', '--name', ''], '--name must be a text of 1 to 200 characters'],
    [['create', '--name', 'x'.repeat(201)], '--name must be a text of 1 to 200 characters'],
    [['create', '--name', 'a\u001b[31m'], 'no control characters'],
  ])('refuses %j and says why', (words, problem) => {
    expect(() => readCommand(words)).toThrow(problem);
  });
});

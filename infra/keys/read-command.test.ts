import { describe, expect, it } from '@jest/globals';
import { readCommand } from './read-command.ts';

describe('npm run keys --', () => {
  it('reads the options of create', () => {
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

  it('reads an account and the credits to add to it', () => {
    expect(readCommand(['credit', 'acc_shop', '500'])).toEqual({
      action: 'credit',
      account: 'acc_shop',
      credits: 500,
    });
  });

  it('returns help without arguments', () => {
    expect(readCommand([])).toEqual({ action: 'help' });
  });

  it.each([
    [['crate'], 'crate is not a command'],
    [['revoke'], 'needs the id of a key'],
    [['list', 'extra', 'words'], 'Unexpected argument: words'],
    [['create', '--scope', 'x'], '--scope'],
    [['create', '--scopes', 'scrape,all'], '--scopes all is not one of'],
    [['create', '--expires', 'yesterday'], 'not a date or time in the future'],
    [['create', '--expires', '2001-01-01'], 'not a date or time in the future'],
    [['create', '--credits', '-1'], '--credits'],
    [['create', '--credits', '1.5'], 'not a whole number'],
    [['list', '--account', '$ne'], 'is not a valid account'],
    [['credit'], 'credit needs an account and a number of credits'],
    [['credit', 'acc_shop'], 'credit needs an account and a number of credits'],
    [['credit', '$ne', '5'], '$ne is not a valid account'],
    [['credit', 'acc_shop', '0'], '0 is not a whole number of credits above 0'],
    [['credit', 'acc_shop', '1.5'], '1.5 is not a whole number of credits above 0'],
    [['credit', 'acc_shop', '5', '6'], 'Unexpected argument: 6'],
    [['create', '--name', ''], '--name must be a text of 1 to 200 characters'],
    [['create', '--name', 'x'.repeat(201)], '--name must be a text of 1 to 200 characters'],
    [['create', '--name', 'a\u001b[31m'], 'without control characters'],
  ])('rejects %j with the reason', (words, problem) => {
    expect(() => readCommand(words)).toThrow(problem);
  });
});

import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { checkImportedKey } from './check-imported-key.ts';
import { generateKey } from './generate-key.ts';

describe('checkImportedKey', () => {
  it.each([generateKey(), 'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'gl_local+development/key~2025.1=='])(
    'takes %s',
    (key) => expect(() => checkImportedKey(key)).not.toThrow(),
  );

  it.each([
    ['an empty one', ''],
    ['a short one', 'secret-key-1234'],
    ['one that repeats a character', 'k'.repeat(64)],
    ['one that repeats a word', 'ababababababababababab'],
    ['one with a space', 'correct horse battery staple'],
    ['one with a line break', `${generateKey()}\n`],
    ['one that is not ASCII', 'schlüssel-für-den-dienst-0123456789'],
    ['an endless one', generateKey().repeat(10)],
  ])('refuses %s without showing it', (_case, key) => {
    const refusal = refusalOf(key);
    expect(refusal).toMatchObject({ code: 'INVALID_REQUEST' });
    if (key !== '') expect(`${refusal.message} ${refusal.suggestion}`).not.toContain(key);
  });
});

function refusalOf(key: string): AppError {
  try {
    checkImportedKey(key);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('The key was taken');
}

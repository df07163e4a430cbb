import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { checkImportedKey } from './check-imported-key.ts';
import { generateKey } from './generate-key.ts';

describe('checkImportedKey', () => {
  it.each([generateKey(), 'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'gl_local+development/key~2025.1=='])(
    'accepts %s',
    (key) => expect(() => checkImportedKey(key)).not.toThrow(),
  );

  it.each([
    ['an empty key', ''],
    ['a short key', 'secret-key-1234'],
    ['a key that repeats a character', 'k'.repeat(64)],
    ['a key that repeats a word', 'ababababababababababab'],
    ['a key with a space', 'correct horse battery staple'],
    ['a key with a line break', `${generateKey()}\n`],
    ['a key that is not ASCII', 'schlüssel-für-den-dienst-0123456789'],
    ['an overlong key', generateKey().repeat(10)],
  ])('rejects %s without showing it', (_case, key) => {
    const error = errorOf(key);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
    if (key !== '') expect(`${error.message} ${error.suggestion}`).not.toContain(key);
  });
});

function errorOf(key: string): AppError {
  try {
    checkImportedKey(key);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('The key was accepted');
}

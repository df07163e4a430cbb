import type { Account, StoredKey } from '@gleaner/storage';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Credential, CredentialLookup } from './authentication.ts';

const ACCOUNT: Account = { id: 'acc_1', name: 'One', balance: null, reserved: 0, createdAt: new Date(0) };
const KEY: StoredKey = {
  id: 'key_1',
  accountId: 'acc_1',
  name: 'One',
  prefix: 'gl_one',
  scopes: ['usage'],
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

let nowMs = 0;
let questions = 0;
let answer: () => Promise<StoredKey | null>;
let lookup: CredentialLookup;

beforeEach(() => {
  nowMs = 0;
  questions = 0;
  answer = async () => KEY;
  lookup = new CredentialLookup({
    keys: {
      findByHash: () => {
        questions++;
        return answer();
      },
    },
    accounts: { findAccount: async () => ACCOUNT },
    now: () => nowMs,
  });
});

async function questionsFor(...ask: (() => Promise<Credential | null>)[]): Promise<number> {
  const before = questions;
  for (const one of ask) await one();
  return questions - before;
}

describe('CredentialLookup', () => {
  it('finds a key with its account, and asks once for calls that come together', async () => {
    const found = await Promise.all([lookup.find('gl_a'), lookup.find('gl_a'), lookup.find('gl_a')]);
    expect(found).toEqual(Array(3).fill({ key: KEY, account: ACCOUNT }));
    expect(questions).toBe(1);
  });

  it('remembers what it found for 3 s from the question', async () => {
    await lookup.find('gl_a');
    nowMs = 2999;
    expect(await questionsFor(() => lookup.find('gl_a'))).toBe(0);
    nowMs = 3000;
    expect(await questionsFor(() => lookup.find('gl_a'))).toBe(1);
  });

  it('remembers for a second that there is no such key', async () => {
    answer = async () => null;
    expect(await lookup.find('gl_a')).toBeNull();
    nowMs = 999;
    expect(await questionsFor(() => lookup.find('gl_a'))).toBe(0);
    nowMs = 1000;
    answer = async () => KEY;
    expect(await lookup.find('gl_a')).toMatchObject({ key: KEY });
  });

  it('remembers no failure', async () => {
    answer = () => Promise.reject(new Error('away'));
    await expect(lookup.find('gl_a')).rejects.toThrow('away');
    answer = async () => KEY;
    expect(await lookup.find('gl_a')).toMatchObject({ key: KEY });
  });

  it('keeps room for at least 10,000 keys of each kind, so that wrong ones push out no right one', async () => {
    await lookup.find('gl_right');
    answer = async () => null;
    for (let count = 0; count < 20_000; count++) await lookup.find(`gl_wrong-${count}`);
    expect(await questionsFor(() => lookup.find('gl_right'))).toBe(0);
    expect(await questionsFor(() => lookup.find('gl_wrong-10000'))).toBe(0);
    expect(await questionsFor(() => lookup.find('gl_wrong-0'))).toBe(1);
  });
});

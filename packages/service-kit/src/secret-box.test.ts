import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from './secret-box.ts';

const KEY = 'k'.repeat(32);

describe('a secret box', () => {
  it('opens what it has sealed, for the same purpose', () => {
    const box = createSecretBox(KEY);
    const sealed = box?.seal('acc_1 shop', 'pässword') ?? '';
    expect(sealed).not.toContain('pässword');
    expect(box?.seal('acc_1 shop', 'pässword')).not.toBe(sealed);
    expect(box?.open('acc_1 shop', sealed)).toBe('pässword');
    expect(createSecretBox(KEY)?.open('acc_1 shop', sealed)).toBe('pässword');
  });

  it('does not open what was sealed for another purpose, with another key, or was changed', () => {
    const box = createSecretBox(KEY);
    const sealed = box?.seal('acc_1 shop', 'password') ?? '';
    expect(box?.open('acc_2 shop', sealed)).toBeUndefined();
    expect(createSecretBox('l'.repeat(32))?.open('acc_1 shop', sealed)).toBeUndefined();
    for (const wrong of ['', 'AAAA', `${sealed.slice(0, -2)}AA`])
      expect(box?.open('acc_1 shop', wrong)).toBeUndefined();
  });

  it('needs a key', () => {
    expect(createSecretBox(undefined)).toBeUndefined();
  });
});

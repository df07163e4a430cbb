import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { feedWhole, gunzipMembers } from './content-codings.ts';

const TEXT = 'The same words again. '.repeat(50);
const MEMBER = gzipSync(TEXT);

async function unpack(...parts: Uint8Array[]): Promise<string> {
  let text = '';
  for await (const chunk of gunzipMembers(Buffer.concat(parts), {}, feedWhole))
    text += chunk.toString('latin1');
  return text;
}

describe('gunzipMembers', () => {
  it('rejects a member truncated at any byte', async () => {
    for (let length = 2; length < MEMBER.length; length += 1) {
      await expect(unpack(MEMBER.subarray(0, length))).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
      await expect(unpack(MEMBER, MEMBER.subarray(0, length))).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
    }
  });

  it('agrees with node about a member with any one bit flipped', async () => {
    for (let bit = 0; bit < MEMBER.length * 8; bit += 1) {
      const flipped = Buffer.from(MEMBER);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const expected = attempt(() => gunzipSync(flipped).toString('latin1'));
      expect(await unpack(flipped).catch(() => 'rejected')).toBe(expected);
    }
  });

  it('ignores bytes after the last member', async () => {
    for (const rest of ['\n', 'abc', '\0\0', '\x1f', '\x1f\x8a'])
      expect(await unpack(MEMBER, MEMBER, Buffer.from(rest, 'latin1'))).toBe(TEXT + TEXT);
  });

  it('rejects too many members', async () => {
    const empty = gzipSync('');
    const many = Buffer.concat(Array.from({ length: 10_001 }, () => empty));
    await expect(unpack(many)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });
});

function attempt(work: () => string): string {
  try {
    return work();
  } catch {
    return 'rejected';
  }
}

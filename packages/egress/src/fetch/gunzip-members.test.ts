import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { feedWhole } from './content-codings.ts';
import { gunzipMembers } from './gunzip-members.ts';

const TEXT = 'The same words again. '.repeat(50);
const MEMBER = gzipSync(TEXT);

async function unpack(...parts: Uint8Array[]): Promise<string> {
  let text = '';
  for await (const chunk of gunzipMembers(Buffer.concat(parts), {}, feedWhole))
    text += chunk.toString('latin1');
  return text;
}

describe('gunzipMembers', () => {
  it('refuses a member that is cut, wherever', async () => {
    for (let length = 2; length < MEMBER.length; length += 1) {
      await expect(unpack(MEMBER.subarray(0, length))).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
      await expect(unpack(MEMBER, MEMBER.subarray(0, length))).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
    }
  });

  it('finds the same as node in a member with any bit of it turned', async () => {
    for (let bit = 0; bit < MEMBER.length * 8; bit += 1) {
      const turned = Buffer.from(MEMBER);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const expected = attempt(() => gunzipSync(turned).toString('latin1'));
      expect(await unpack(turned).catch(() => 'refused')).toBe(expected);
    }
  });

  it('does not mind what follows, unless it is a member', async () => {
    for (const rest of ['\n', 'abc', '\0\0', '\x1f', '\x1f\x8a'])
      expect(await unpack(MEMBER, MEMBER, Buffer.from(rest, 'latin1'))).toBe(TEXT + TEXT);
  });

  it('gives up on more members than anybody sends', async () => {
    const empty = gzipSync('');
    const many = Buffer.concat(Array.from({ length: 10_001 }, () => empty));
    await expect(unpack(many)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });
});

function attempt(work: () => string): string {
  try {
    return work();
  } catch {
    return 'refused';
  }
}

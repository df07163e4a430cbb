import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient } from '../src/index.ts';
import { never, Origins } from './origins.ts';

const origins = Origins.forThisFile();

describe('fetchPage and what it refuses to send', () => {
  it('names every header that it will not send, before anything is sent', async () => {
    const before = origins.plain.connectionCount;
    await expect(
      origins.get(origins.plain, '/refused', { headers: { Host: 'x', 'X-A': 'b\r\nc' } }),
    ).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'headers.Host' }, { path: 'headers.X-A' }],
    });
    expect(origins.plain.requestsTo('/refused')).toEqual([]);
    expect(origins.plain.connectionCount).toBe(before);
  });

  it.each(['http://127.0.0.1:1/', 'http://127.1/', 'http://[::1]/', 'http://unix:/var/run/docker.sock:/x'])(
    'refuses %s',
    async (url) => {
      await expect(origins.client.fetchPage({ url }, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
    },
  );

  it('answers alike for a refused port that is open and one that is closed', async () => {
    const strict = createHttpClient({ policy: createEgressPolicy({ allow: [] }) });
    const before = origins.plain.connectionCount;
    const [open, shut] = await Promise.all(
      [origins.plain.port, 1_024].map((port) =>
        strict.fetchPage({ url: `http://127.0.0.1:${port}/` }, never).catch((error) => error),
      ),
    );
    expect({ ...open, message: open.message }).toEqual({ ...shut, message: shut.message });
    expect(origins.plain.connectionCount).toBe(before);
    strict.close();
  });
});

describe('fetchPage and secrets', () => {
  it.each(['/reset/before-headers', '/garbage/ssh', '/length/too-long'])(
    'keeps them out of the error of %s',
    async (path) => {
      const request = {
        headers: { Authorization: 'Bearer hunter2' },
        cookies: [{ name: 'sid', value: 'hunter2' }],
      };
      const error = await origins.get(origins.plain, path, request).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'UPSTREAM_ERROR' });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
    },
  );
});

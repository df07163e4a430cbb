import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient } from '../src/index.ts';
import { never, Origins } from './origins.ts';

const origins = Origins.forThisFile();

describe('fetchPage given a request that it must not send', () => {
  it('names every header that cannot be sent, before it sends anything', async () => {
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
    'rejects %s',
    async (url) => {
      await expect(origins.client.fetchPage({ url }, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
    },
  );

  it('gives the same error for a forbidden address whose port is open and one whose port is closed', async () => {
    const strict = createHttpClient({ policy: createEgressPolicy({ allow: [] }) });
    const before = origins.plain.connectionCount;
    const [open, shut] = await Promise.all(
      [origins.plain.port, 1_024].map(async (port) => {
        const error = await strict
          .fetchPage({ url: `http://127.0.0.1:${port}/` }, never)
          .catch((thrown) => thrown);
        return JSON.stringify({ ...error, message: error.message }).replaceAll(`:${port}`, ':<port>');
      }),
    );
    expect(open).toContain('EGRESS_ALLOW=127.0.0.1:<port>');
    expect(open).toBe(shut);
    expect(origins.plain.connectionCount).toBe(before);
    strict.close();
  });
});

describe('fetchPage and secrets', () => {
  it.each(['/reset/before-headers', '/garbage/ssh', '/length/too-long'])(
    'keeps them out of the error for %s',
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

import { type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpClient } from '../src/client/create-http-client.ts';
import type { HttpClient } from '../src/client/http-client.ts';
import { createEgressPolicy } from '../src/policy/create-egress-policy.ts';

let origin: Origin;
let client: HttpClient;

beforeAll(async () => {
  origin = await startOrigin();
  const policy = createEgressPolicy({ allow: [`127.0.0.1:${origin.port}`] });
  client = createHttpClient({ policy, redirects: 'answer', longBodies: 'cut', maxBodyBytes: 1000 });
});
afterAll(async () => {
  client.close();
  await origin.close();
});

function fetch(path: string) {
  const request = {
    url: origin.url + path,
    method: 'POST',
    body: Buffer.from('{}'),
    deadlineMs: Date.now() + 240_000,
  };
  return client.fetchPage(request, new AbortController().signal);
}

describe('a client that needs only the first response', () => {
  it('returns a redirect without following it', async () => {
    const visitsBefore = origin.requestsTo('/').length;
    expect(await fetch('/redirect/302?to=/')).toMatchObject({ statusCode: 302, redirects: [] });
    expect(origin.requestsTo('/')).toHaveLength(visitsBefore);
  });

  it('does not follow a redirect to a private address', async () => {
    expect(await fetch('/redirect/307?to=http://169.254.169.254/')).toMatchObject({ statusCode: 307 });
  });

  it.each(['/endless', '/size/5000000', '/bomb/gzip'])('reads the beginning of %s', async (path) => {
    const { statusCode, body } = await fetch(path);
    expect([statusCode, body.length]).toEqual([200, 1000]);
  });

  it('returns the status of a response whose body stalls', async () => {
    const { statusCode, body } = await fetch('/stall/mid-body');
    expect(statusCode).toBe(200);
    expect(body.length).toBeLessThan(1000);
  });

  it('returns the status of a response whose body is cut short', async () => {
    expect(await fetch('/reset/mid-body')).toMatchObject({ statusCode: 200 });
  });
});

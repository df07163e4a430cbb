import { describe, expect, it } from '@jest/globals';
import { startWebhookReceiver } from '../src/index.ts';

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', body, headers: { 'webhook-id': 'msg_1' } });

describe('startWebhookReceiver', () => {
  it('records deliveries with their raw bytes, and takes them', async () => {
    await using receiver = await startWebhookReceiver();
    expect((await post(receiver.url, '{"a": 1}')).status).toBe(200);
    expect((await post(receiver.url, 'not json')).status).toBe(200);
    expect(receiver.deliveries).toMatchObject([
      { path: '/hook', headers: { 'webhook-id': 'msg_1' }, body: Buffer.from('{"a": 1}'), json: { a: 1 } },
      { body: Buffer.from('not json'), json: undefined },
    ]);
  });

  it('answers by its script, and then with 200 again', async () => {
    await using receiver = await startWebhookReceiver();
    receiver.script({ status: 503, headers: { 'retry-after': '7' } }, { status: 'reset' });
    const first = await post(receiver.url, '{}');
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7']);
    await expect(post(receiver.url, '{}')).rejects.toThrow();
    expect((await post(receiver.url, '{}')).status).toBe(200);
    expect(receiver.deliveries).toHaveLength(3);
  });

  it('never answers when it is told to stall', async () => {
    await using receiver = await startWebhookReceiver();
    receiver.script({ status: 'stall' });
    await expect(
      fetch(receiver.url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(100) }),
    ).rejects.toThrow();
    expect(receiver.deliveries).toHaveLength(1);
  });
});

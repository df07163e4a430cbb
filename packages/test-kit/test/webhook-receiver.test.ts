import { describe, expect, it } from '@jest/globals';
import { eventually } from '../src/eventually.ts';
import { startWebhookReceiver } from '../src/index.ts';

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', body, headers: { 'webhook-id': 'msg_1' } });

describe('startWebhookReceiver', () => {
  it('records deliveries with their raw bytes and answers 200', async () => {
    await using receiver = await startWebhookReceiver();
    expect((await post(receiver.url, '{"a": 1}')).status).toBe(200);
    expect((await post(receiver.url, 'not json')).status).toBe(200);
    expect(receiver.deliveries).toMatchObject([
      { path: '/hook', headers: { 'webhook-id': 'msg_1' }, body: Buffer.from('{"a": 1}'), json: { a: 1 } },
      { body: Buffer.from('not json'), json: undefined },
    ]);
  });

  it('answers as scripted, and then with 200 again', async () => {
    await using receiver = await startWebhookReceiver();
    receiver.script({ status: 503, headers: { 'retry-after': '7' } }, { status: 'reset' });
    const first = await post(receiver.url, '{}');
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7']);
    await expect(post(receiver.url, '{}')).rejects.toThrow();
    expect((await post(receiver.url, '{}')).status).toBe(200);
    expect(receiver.deliveries).toHaveLength(3);
  });

  it('never answers a delivery that is scripted to stall', async () => {
    await using receiver = await startWebhookReceiver();
    receiver.script({ status: 'stall' });
    const patience = new AbortController();
    const answer = fetch(receiver.url, { method: 'POST', body: '{}', signal: patience.signal });
    await eventually(() => expect(receiver.deliveries).toHaveLength(1));
    setTimeout(() => patience.abort(), 100);
    await expect(answer).rejects.toThrow('aborted');
  });
});

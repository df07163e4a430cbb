import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from './verify-webhook.ts';

const NEW = `whsec_${btoa('the new secret of this test.....')}`;
const OLD = `whsec_${btoa('the old secret of this test.....')}`;
const BODY = '{"id":"evt_1","type":"job.completed","timestamp":"2026-01-01T00:00:00.000Z","data":{}}';
const NOW = Date.parse('2026-01-01T00:00:00Z');

function headersOf(...secrets: string[]): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('evt_1', new Date(NOW), BODY));
  return {
    'Webhook-Id': 'evt_1',
    'Webhook-Timestamp': String(NOW / 1000),
    'Webhook-Signature': signatures.join(' '),
  };
}

describe('verifyWebhook', () => {
  it.each([
    ['the secret', headersOf(NEW), NEW],
    ['the new secret while both sign', headersOf(NEW, OLD), NEW],
    ['the old secret while both sign', headersOf(NEW, OLD), OLD],
    ['one of several secrets', headersOf(OLD), [NEW, `${OLD}\r\n`]],
    ['headers of fetch', new Headers(headersOf(NEW)), NEW],
  ])('accepts what standardwebhooks signed: %s', async (_what, headers, secret) => {
    for (const body of [BODY, new TextEncoder().encode(BODY)]) {
      expect(await verifyWebhook(body, headers, secret, { nowMs: NOW })).toMatchObject({
        type: 'job.completed',
      });
    }
  });
});

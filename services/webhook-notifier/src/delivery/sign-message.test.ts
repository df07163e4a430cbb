import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { generateSecret, signMessage } from './sign-message.ts';

const content = () => ({
  id: 'evt_1',
  timestampSeconds: Math.floor(Date.now() / 1000),
  body: JSON.stringify({ text: 'Grüße 👋 "quoted"\n' }),
});

describe('a signature', () => {
  it('equals the example of the specification', () => {
    const headers = signMessage(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body: '{"test": 2432232314}' },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is verified by the standardwebhooks library with either of two secrets', () => {
    const secrets = [generateSecret(), generateSecret()];
    const signed = content();
    const headers = signMessage(signed, secrets);
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(signed.body, headers)).toEqual(JSON.parse(signed.body));
    }
  });

  it('is rejected with another secret, and for another body, id or time', () => {
    const secret = generateSecret();
    const signed = content();
    const headers = signMessage(signed, [secret]);
    const verify = (body: string, given: Record<string, string>, by = secret) =>
      new Webhook(by).verify(body, given);
    expect(() => verify(signed.body, headers, generateSecret())).toThrow();
    expect(() => verify(`${signed.body} `, headers)).toThrow();
    expect(() => verify(signed.body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
    const otherTime = String(signed.timestampSeconds - 1);
    expect(() => verify(signed.body, { ...headers, 'webhook-timestamp': otherTime })).toThrow();
  });
});

describe('a new secret', () => {
  it('has 32 random bytes', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  });
});

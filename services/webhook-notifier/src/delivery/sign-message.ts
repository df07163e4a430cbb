import { createHmac, randomBytes } from 'node:crypto';

/** Signed content: the id of the event, the time of the attempt, and the body. */
export interface SignedContent {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Returns the headers of an attempt, with a signature by each secret (https://www.standardwebhooks.com, symmetric scheme
 * v1). Uses node:crypto instead of the `standardwebhooks` package, whose SHA-256 is written in JavaScript: a body may have
 * megabytes, and every attempt signs it again. The tests verify the signatures with that package.
 */
export function signMessage(
  { id, timestampSeconds, body }: SignedContent,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const content = `${id}.${timestampSeconds}.${body}`;
  const signatures = secrets.map((secret) => `v1,${sign(content, secret)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}

/** Generates a secret: 32 random bytes in the format of Standard Webhooks. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Returns the header by which receivers of Firecrawl's webhooks verify a body: its HMAC by the whole text of the secret. */
export function signForFirecrawl(body: string, [secret = '']: readonly string[]) {
  return { 'x-firecrawl-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

import { createHmac, randomBytes } from 'node:crypto';

/** What is signed: the id of the event, the second of the try, and the bytes of the body. */
export interface SignedContent {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The headers of a try, with a signature by each secret (https://www.standardwebhooks.com, symmetric scheme v1). */
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

/** A new secret: 32 random bytes, in the form that the libraries of Standard Webhooks take. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

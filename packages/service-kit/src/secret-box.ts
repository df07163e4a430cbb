import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { defineConfig, setting } from '@gleaner/config';

const MIN_KEY_LENGTH = 32;

/** Settings of a service that stores or uses secrets of accounts. */
export const SECRET_SETTINGS = defineConfig({
  SECRETS_KEY: {
    type: {
      ...setting.text,
      expected: `a random text of at least ${MIN_KEY_LENGTH} characters`,
      example: '$(openssl rand -base64 32)',
      parse: (value: string) => (value.length >= MIN_KEY_LENGTH ? value : undefined),
    },
    default: undefined,
    meaning:
      'Key that encrypts the secrets, profiles and channels of accounts, the same one for the gateway, the scrapers and the webhook-notifier; without it, none can be stored.',
    isSecret: true,
  },
});

/** Encrypts texts that are stored and sent, and decrypts them again. */
export interface SecretBox {
  /** Encrypts a text for one purpose, such as a name in an account. */
  seal(purpose: string, text: string): string;
  /** Returns the text; undefined if it was encrypted with another key or for another purpose. */
  open(purpose: string, sealed: string): string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a box with the key of the configuration; undefined without one. */
export function createSecretBox(secretsKey: string | undefined): SecretBox | undefined {
  if (secretsKey === undefined) return undefined;
  const key = Buffer.from(hkdfSync('sha256', secretsKey, 'gleaner', 'account-secrets', 32));
  return {
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(purpose, sealed) {
      try {
        const bytes = Buffer.from(sealed, 'base64url');
        const bodyAt = NONCE_BYTES + TAG_BYTES;
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE_BYTES, bodyAt));
        return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

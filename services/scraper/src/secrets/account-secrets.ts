import { credentialOriginsOf, purposeOf, type SealedSecret } from '@gleaner/contracts';
import type { SecretBox } from '@gleaner/service-kit';
import type { OpenSecret } from '../browser/actions/actions-context.ts';
import { Redactor } from './redactor.ts';

/** The secrets that the steps of one page write, and the redactor of everything read from it. */
export interface AccountSecrets {
  find(name: string): OpenSecret | undefined;
  readonly redactor: Redactor;
}

/** Decrypts the secrets of a page and skips any that do not open. Without origins, a secret is for those of the URL. */
export function openSecrets(
  sealed: readonly SealedSecret[] | undefined,
  { accountId, url }: { readonly accountId: string; readonly url: string },
  secretBox: SecretBox | undefined,
): AccountSecrets {
  const opened = new Map<string, OpenSecret>();
  for (const secret of sealed ?? []) {
    const value = secretBox?.open(purposeOf(accountId, secret), secret.sealed);
    const origins = secret.origins ?? credentialOriginsOf(new URL(url));
    if (value !== undefined) opened.set(secret.name, { value, origins });
  }
  const secrets = [...opened.values()];
  const origins = [url, ...secrets.flatMap((secret) => secret.origins)];
  const hosts = origins.flatMap((origin) => URL.parse(origin)?.host ?? []);
  return {
    find: (name) => opened.get(name),
    redactor: new Redactor(
      secrets.map(({ value }) => value),
      [...new Set(hosts)],
    ),
  };
}

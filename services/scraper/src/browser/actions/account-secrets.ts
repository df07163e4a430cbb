import {
  AppError,
  credentialOriginsOf,
  fromFailure,
  purposeOf,
  type SealedSecret,
  toFailure,
} from '@gleaner/contracts';
import type { SecretBox } from '@gleaner/service-kit';
import type { OpenSecret } from './run-actions.ts';

/** The secrets of the account that the steps of one page write, and what hides them in everything that is read from it. */
export interface AccountSecrets {
  find(name: string): OpenSecret | undefined;
  /** Replaces the secrets in a text, also as URLs, HTML and JSON write them. */
  redact(text: string): string;
  /** Returns an error without the secrets. */
  redactError(error: unknown): unknown;
}

/** Stands for a secret that is not shown. */
const REDACTED = '[redacted]';

/** Secrets that are shorter may be part of other words and numbers: they are replaced where they stand alone. */
const MIN_UNIQUE_LENGTH = 8;

/** Decrypts the secrets of a page. Those that do not open are left out. Without origins, a secret is for those of the URL. */
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
  const pattern = patternOf([...opened.values()].map(({ value }) => value));
  const redact = (text: string) => (pattern ? text.replace(pattern, REDACTED) : text);
  return {
    find: (name) => opened.get(name),
    redact,
    redactError(error) {
      if (!pattern || !(error instanceof AppError)) return error;
      const { message, details = [], ...failure } = toFailure(error);
      const shown = details.map((each) => ({ ...each, message: redact(each.message) }));
      return fromFailure({
        ...failure,
        message: redact(message),
        ...(shown.length > 0 && { details: shown }),
      });
    },
  };
}

/** Returns a pattern that matches the values in every form, the longest first; undefined without values. */
function patternOf(values: readonly string[]): RegExp | undefined {
  const forms = values.flatMap((value) =>
    formsOf(value).map((form) => {
      const literal = form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      return value.length < MIN_UNIQUE_LENGTH ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
    }),
  );
  const longestFirst = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  return longestFirst.length > 0 ? new RegExp(longestFirst.join('|'), 'gu') : undefined;
}

/** Returns a value as texts, URLs, forms, HTML and JSON write it. */
function formsOf(value: string): string[] {
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    value,
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    html,
    html.replaceAll('"', '&quot;'),
    JSON.stringify(value).slice(1, -1),
  ];
}

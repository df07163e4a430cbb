import type { PageForModel } from '@gleaner/extraction';
import type { CapturedBodies, CapturedBody } from '../browser/tab/response-capture.ts';
import type { PageValues } from '../extract/reading.ts';
import { markupKind, plainKind } from './markup-names.ts';
import { redactJson } from './redact-json.ts';
import { redactValue } from './redact-value.ts';
import type { Redactor } from './redactor.ts';

/** Host of a URL whose own host has a secret. */
const HIDDEN_HOST = 'redacted.invalid';

/** Replaces the secrets in a URL, which stays a URL, or in a text with URLs. */
export function redactUrl(text: string, redactor: Redactor): string {
  const shown = redactor.redact(text);
  const url = shown === text ? null : URL.parse(text);
  if (!url || URL.canParse(shown)) return shown;
  url.host = HIDDEN_HOST;
  return redactor.redact(url.href);
}

/** Replaces the secrets in everything of a value that is not long, such as the evidence of a verdict. */
export function redactShort<Value>(value: Value, redactor: Redactor): Value {
  return redactor.isIdle ? value : redactValue(value, (text) => redactUrl(text, redactor));
}

/** Does the same for a value whose texts may have been cut, such as an error that quotes a page. */
export function redactCut<Value>(value: Value, redactor: Redactor): Value {
  return redactor.isIdle ? value : redactValue(value, (text) => redactor.redact(text, { isCut: true }));
}

/** Replaces the secrets in the source of a document. */
export async function redactSource(source: string, kind: string, redactor: Redactor): Promise<string> {
  if (kind === 'json') return await redactJson(source, redactor);
  return await redactor.redactLong(source, markupKind(source));
}

/** Replaces the secrets in the values of a document: reading decodes forms that were not found in the source. */
export async function redactValues(values: PageValues, redactor: Redactor): Promise<PageValues> {
  if (redactor.isIdle) return values;
  const { dataJson, formatsJson, capturedJson, forModel, times, ...rest } = values;
  return {
    ...redactShort(rest, redactor),
    times,
    // No model reads a page that still shows a secret.
    ...(forModel && !(await showsSecret(forModel, redactor)) && { forModel }),
    ...(dataJson !== undefined && { dataJson: await redactJson(dataJson, redactor) }),
    ...(formatsJson !== undefined && { formatsJson: await redactJson(formatsJson, redactor) }),
    ...(capturedJson !== undefined && { capturedJson: await redactJson(capturedJson, redactor) }),
  };
}

async function showsSecret({ markdown, evidence }: PageForModel, redactor: Redactor): Promise<boolean> {
  for (const text of [markdown, evidence.text, evidence.urls.map(({ url }) => url).join('\n')]) {
    if ((await redactor.redactLong(text)) !== text) return true;
  }
  return false;
}

/** Replaces the secrets in captured responses. */
export async function redactCaptured(captured: CapturedBodies, redactor: Redactor): Promise<CapturedBodies> {
  const entries: [string, CapturedBody[]][] = [];
  for (const [name, responses] of Object.entries(captured)) {
    const shown: CapturedBody[] = [];
    for (const { body, ...response } of responses) {
      shown.push({
        ...redactShort(response, redactor),
        ...(body !== undefined && { body: await redactBody(body, response.isBase64, redactor) }),
      });
    }
    entries.push([name, shown]);
  }
  return Object.fromEntries(entries);
}

async function redactBody(body: string, isBase64: boolean, redactor: Redactor): Promise<string> {
  if (isBase64) {
    const bytes = Buffer.from(body, 'base64').toString('latin1');
    const shown = await redactor.redactLong(bytes);
    return shown === bytes ? body : Buffer.from(shown, 'latin1').toString('base64');
  }
  return isJson(body) ? await redactJson(body, redactor) : await redactor.redactLong(body, plainKind(body));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

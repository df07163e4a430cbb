import type { TracedAction } from '@gleaner/contracts';
import { openSecrets as open } from '../../secrets/account-secrets.ts';
import {
  redactCaptured,
  redactCut,
  redactShort,
  redactSource,
  redactUrl,
  redactValues as redactValuesBy,
} from '../../secrets/redact-page.ts';
import type { Page, RenderedPage } from '../page.ts';

/** Decrypts the secrets that the steps of the page write. */
export function openSecrets(page: RenderedPage): void {
  const { task, deps, url } = page;
  const secrets = open(task.secrets, { accountId: task.accountId, url }, deps.secretBox);
  if (!secrets.redactor.isIdle) page.secrets = secrets;
  page.visiting.findSecret = secrets.find;
}

/** Returns true for a page into which secrets may have been written. */
export function hasSecrets({ secrets }: Page): boolean {
  return secrets !== undefined;
}

/** Hides the secrets in everything that the browser read from the page. */
export async function redactVisited(page: RenderedPage): Promise<void> {
  const { secrets, visited } = page;
  if (!secrets) return;
  const { redactor } = secrets;
  const { url, source, kind, headers, layer, overlaysLeft, captured } = visited;
  page.visited = {
    ...visited,
    reachedUrl: url,
    ...redactShort({ url, headers, overlaysLeft }, redactor),
    ...(layer && { layer: redactCut(layer, redactor) }),
    source: await redactSource(source, kind, redactor),
    ...(captured && { captured: await redactCaptured(captured, redactor) }),
  };
}

/** Hides the secrets in everything that was read from the document. */
export async function redactValues(page: Page): Promise<void> {
  if (page.secrets) page.values = await redactValuesBy(page.values, page.secrets.redactor);
}

/** Hides the secrets in an error of the page. */
export function redactError(error: unknown, { secrets }: Page): unknown {
  return secrets ? redactCut(error, secrets.redactor) : error;
}

/** Returns a step as its trace shows it. */
export function redactStep(step: TracedAction, { secrets }: Page): TracedAction {
  return secrets && step.url !== undefined ? { ...step, url: redactUrl(step.url, secrets.redactor) } : step;
}

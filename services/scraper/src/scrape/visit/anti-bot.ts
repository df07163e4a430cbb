import { applyDisguise } from '../../browser/disguise/apply-disguise.ts';
import { describeVisitor } from '../../browser/disguise/describe-visitor.ts';
import { readCookies as readCookiesOf } from '../../browser/tab/cookies.ts';
import { waitForCheck } from '../../browser/tab/wait-for-check.ts';
import type { Reading, Visit } from './visit-page.ts';

/** Returns true for a browser that looks like a person's. */
export function isDisguised({ context }: Visit): boolean {
  return context.kind === 'disguised';
}

/** Makes the browser look like a person's. */
export async function disguise({ tab, request }: Visit): Promise<void> {
  await applyDisguise(tab, describeVisitor(tab.browser, request));
}

/** Returns true for a page that a wall may be before. */
export function expectsWall({ request }: Pick<Visit, 'request'>): boolean {
  return request.antiBot === true;
}

/** Waits until the site's check of the browser has finished. */
export async function passCheck({ tab, watch, signal }: Visit): Promise<void> {
  await waitForCheck(tab, watch, signal);
}

/** Reads the cookies by which later requests may pass the wall. */
export async function readCookies({ tab, parts }: Reading): Promise<void> {
  parts.cookies = await readCookiesOf(tab);
}

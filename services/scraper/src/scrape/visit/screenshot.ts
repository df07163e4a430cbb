import { screenshotOf } from '@gleaner/contracts';
import { captureScreenshot } from '../../browser/tab/capture-screenshot.ts';
import type { RenderedPage } from '../page.ts';
import type { Reading } from './visit-page.ts';

/** Returns true if a screenshot is to be taken. */
export function wantsScreenshot({ request }: Reading): boolean {
  return screenshotOf(request) !== undefined;
}

/** Takes the screenshot. */
export async function takeScreenshot({ tab, request, parts }: Reading): Promise<void> {
  const wanted = screenshotOf(request);
  if (wanted) parts.screenshot = await captureScreenshot(tab, wanted);
}

/** Returns the screenshot, or warns of one whose selector matched nothing. */
export function returnScreenshot({ visited, request, found, warnings }: RenderedPage): void {
  const { screenshot } = visited;
  if (screenshot !== undefined) {
    found.screenshot = screenshot;
    return;
  }
  const selector = screenshotOf(request)?.selector;
  if (selector === undefined) return;
  const message = `There is no screenshot: ${JSON.stringify(selector.slice(0, 200))} matched nothing that the page shows.`;
  warnings.push({ code: 'SCREENSHOT_NOT_TAKEN', message });
}

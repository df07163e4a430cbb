import { LIMITS, signalAfterSilence, untilAborted } from '@gleaner/contracts';
import { VIEWPORT } from '../process/chromium-flags.ts';
import { evaluateApart } from '../tab/evaluate-apart.ts';
import type { ActionsContext } from './actions-context.ts';

/** Pixels of an image from left to right: half of the window. */
const WIDTH = VIEWPORT.width / 2;
/** Qualities that are tried until an image is small enough. */
const QUALITIES = [60, 20];
const LIMIT_MS = 3000;

/** Takes small images of the window, of the first steps, and none of a document into which a secret was written. */
export function createCamera({ tab, watch, signal }: Pick<ActionsContext, 'tab' | 'watch' | 'signal'>) {
  let left = LIMITS.maxStepScreenshots;
  /** Number of the document that has a secret. */
  let hidden: number | undefined;

  async function capture(): Promise<string | undefined> {
    const { cssVisualViewport: shown } = await tab.session.send('Page.getLayoutMetrics');
    const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = shown;
    // A phone has several pixels for each of the page.
    const scale = WIDTH / (width * (await evaluateApart<number>(tab, 'devicePixelRatio')));
    for (const quality of QUALITIES) {
      const { data } = await tab.session.send('Page.captureScreenshot', {
        format: 'jpeg',
        quality,
        captureBeyondViewport: false,
        clip: { x, y, width, height, scale },
      });
      if (data.length <= LIMITS.maxStepScreenshotLength) return data;
    }
    return undefined;
  }

  return {
    /** Returns an image in base64; undefined if none could be taken. Never throws for the page's sake. */
    async take(hasSecret: boolean): Promise<string | undefined> {
      if (hasSecret) hidden = watch.navigations;
      left -= 1;
      if (left < 0 || hidden === watch.navigations || signal.aborted) return undefined;
      const inTime = AbortSignal.any([signal, signalAfterSilence(LIMIT_MS)]);
      try {
        return await untilAborted(capture(), inTime);
      } catch {
        return undefined;
      }
    },
  };
}

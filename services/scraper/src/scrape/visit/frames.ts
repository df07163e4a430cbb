import { LIMITS } from '@gleaner/contracts';
import { inlineFrames as inline, readFrames as readFramesOf } from '../../browser/tab/frames.ts';
import type { RenderedPage } from '../page.ts';
import type { Reading, VisitContext } from './visit-page.ts';

/** Returns true if the page is to be read with its frames. */
export function wantsFrames({ request }: Reading): boolean {
  return request.frames === true;
}

/** Reads the documents of the frames, and marks their places. */
export async function readFrames({ tab, context, parts }: Reading): Promise<void> {
  parts.frames = await readFramesOf(tab, (url) => mayRead(url, context.policy));
}

/** Puts the documents of the frames into the source, once it is classified: a wall in a frame is not one before the page. */
export function inlineFrames({ parts }: Reading): void {
  const { snapshot, frames } = parts;
  if (!snapshot || !frames) return;
  const { source, framesLeftOut } = inline(snapshot.source, frames);
  parts.snapshot = { ...snapshot, source };
  parts.framesLeftOut = framesLeftOut;
}

/** Warns of frames that the page was read without. */
export function warnOfFrames({ visited, warnings }: RenderedPage): void {
  const { framesLeftOut: count } = visited;
  if (count === 0) return;
  const message = `The page was read without ${count} of its frames: at most ${LIMITS.maxFrames} are read, of ${LIMITS.maxFrameBytes} characters each, none from an address that may not be requested.`;
  warnings.push({ code: 'FRAMES_LEFT_OUT', message });
}

/** Returns true for the URL of a frame that the page wrote itself, or that a scrape may request. */
function mayRead(url: string, policy: VisitContext['policy']): boolean {
  if (/^(about|blob|data):/.test(url)) return true;
  try {
    policy.checkUrl(url);
    return true;
  } catch {
    return false;
  }
}

import { randomUUID } from 'node:crypto';
import { signalAfterSilence, untilAborted } from '@gleaner/contracts';
import { type HiddenMark, SHOWN_BY_SCRIPTS } from '@gleaner/extraction';
import { callInjected } from '../load-injected.ts';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';

/** Attribute of hidden elements while the document is read. */
export const HIDDEN_NAME = 'data-gleaner-hidden';

/** Key, among symbols, of the map of the hidden elements in the isolated world of their document. */
export const HIDDEN_KEY = 'gleaner.hidden';

/** Further elements count as shown. */
const MAX_ELEMENTS = 50_000;
/** Time for all of it: a page that is too busy is read by its markup. */
const LIMIT_MS = 2000;

/**
 * Has the browser say which elements it does not show, and returns the mark that they have in the next snapshot; undefined if it
 * does not say so in time. Never throws for the page's sake.
 */
export async function findHiddenText(tab: Tab): Promise<HiddenMark | undefined> {
  const value = randomUUID();
  const options = {
    key: HIDDEN_KEY,
    value,
    maxElements: MAX_ELEMENTS,
    shownByScripts: SHOWN_BY_SCRIPTS,
  };
  const find = callInjected('hidden-text.ts', 'findHiddenText', options);
  try {
    await untilAborted(evaluateApart(tab, find), signalAfterSilence(LIMIT_MS));
    return { name: HIDDEN_NAME, value };
  } catch {
    return undefined;
  }
}

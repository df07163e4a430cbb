import type { OverlayOptions } from '../injected/options.ts';
import { loadInjected } from '../load-injected.ts';
import { DISMISSED, LAYERS } from './overlay-rules.ts';

/** Name of the object that the script leaves in its world. No element of a page can have a symbol as its name. */
export const HANDLE = "globalThis[Symbol.for('gleaner.overlays')]";

/** Name of layers that were found without a rule. */
export const UNKNOWN = 'unknown';

const OPTIONS: OverlayOptions = {
  unknown: UNKNOWN,
  dismissed: DISMISSED,
  layers: LAYERS.join(),
  looks: 3,
  lookEveryMs: 300,
  goneWithinMs: 2000,
  pollEveryMs: 100,
  largeShare: 0.15,
};

/**
 * Builds the script that runs in the page's isolated world: autoconsent's library, driven step by step. A turn of the
 * conversation ends with a value, or with code that is to be evaluated in the world of the page.
 */
export function overlayScript({
  library,
  rules,
}: {
  readonly library: string;
  readonly rules: string;
}): string {
  return `(() => {
  const module = { exports: {} };
  ((module, exports) => {${library}\n})(module, module.exports);
  ${loadInjected('overlays.ts')}
  ${HANDLE} = startOverlays(module.exports.default, JSON.parse(${JSON.stringify(rules)}), ${JSON.stringify(OPTIONS)});
  return ${HANDLE}.find();
})()`;
}

import type { Parser, TreeAdapterTypeMap } from 'parse5';

/** Elements that end the head. */
const AFTER_HEAD: ReadonlySet<string> = new Set(['body', 'frameset']);

/**
 * Reads a `noscript` in the head as a browser with scripts does: its markup is a text. Without scripts, the first element in it
 * that a head cannot have would begin the body (https://html.spec.whatwg.org/#parsing-main-inheadnoscript). In the body it is
 * markup, whose images and links pages have for readers without scripts. Returns a function to call with each element that is made.
 */
export function readsNoscriptInHeadAsText<Types extends TreeAdapterTypeMap>(
  parser: Parser<Types>,
): (name: string) => void {
  parser.options.scriptingEnabled = true;
  return (name) => {
    if (AFTER_HEAD.has(name)) parser.options.scriptingEnabled = false;
  };
}

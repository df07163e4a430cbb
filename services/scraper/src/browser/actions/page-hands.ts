import { LIMITS } from '@gleaner/contracts';
import type { CollectionOptions } from '../injected/options.ts';
import { loadInjected } from '../load-injected.ts';
import { COLLECTION_KEY } from '../tab/snapshot.ts';

/** Name of the object that the script leaves in its world. No element of a page can have a symbol as its name. */
const HANDLE = "globalThis[Symbol.for('gleaner.actions')]";

const OPTIONS: CollectionOptions = {
  key: COLLECTION_KEY,
  maxCollected: LIMITS.maxCollected,
  maxChars: LIMITS.maxPageBytes,
};

/** Returns the script that finds the elements of steps and tells whether a person could use them, in the page's isolated world. */
const hands = () =>
  `(() => {const COLLECTION_OPTIONS = ${JSON.stringify(OPTIONS)};\n${loadInjected('hands.ts')}\nreturn HANDS;})()`;

/** Returns the function that calls one of the script by its name, in the isolated world of a document, where the script is loaded at the first call. */
export const callHands = () =>
  `function (name, ...args) { return (${HANDLE} ??= ${hands()})[name](...args); }`;

/** Expression of the element that was found last in a document. */
export const ELEMENT = `${HANDLE}?.element()`;

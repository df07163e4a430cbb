import type { Budget } from '../budget.ts';
import { type BaseUrl, parseUrl } from '../dom/parse-url.ts';
import { type Conversion, type Converter, quote } from './conversion.ts';

/** Resolves each text as a URL against the base of the page; only http and https count. Equal texts are resolved once. */
export const convertUrls: Converter = (texts, _options, { base, budget }) => {
  const known = new Map<string, Conversion>();
  const resolve = createResolver(base, budget);
  return texts.map((text) => {
    budget.spendReading(text.length);
    const conversion = known.get(text);
    if (conversion) return conversion;
    const resolved = resolve(text);
    known.set(text, resolved);
    return resolved;
  });
};

/** Paths and fragments that are appended to the base as they are: nothing in them is encoded, decoded or removed. */
const PLAIN_PATH = /^[\w~-][\w~.-]*(?:\/[\w~-][\w~.-]*)*\/?(?:#[\w~./-]*)?$/;
const PLAIN_FRAGMENT = /^#[\w~./-]*$/;

/** Returns a function that resolves texts; most links of a page are plain, and need no parser of URLs. */
function createResolver(base: () => BaseUrl, budget: Budget): (text: string) => Conversion {
  let parts: BaseParts | undefined;
  return (text) => {
    parts ??= splitBase(base());
    if (parts.isWeb && PLAIN_PATH.test(text)) return { value: parts.folder + text };
    if (parts.isWeb && PLAIN_FRAGMENT.test(text)) return { value: parts.document + text };
    const url = text.trim() === '' ? null : parseUrl(text, parts.base, budget);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return { value: url.href };
    return { problem: `${quote(text)} is not a URL with http or https.` };
  };
}

interface BaseParts {
  readonly base: BaseUrl;
  readonly isWeb: boolean;
  /** The base up to its last slash. */
  readonly folder: string;
  /** The base without its fragment. */
  readonly document: string;
}

function splitBase(base: BaseUrl): BaseParts {
  const url = URL.parse(base.href);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb) return { base, isWeb: false, folder: '', document: '' };
  const [document = ''] = url.href.split('#', 1);
  const [path = ''] = document.split('?', 1);
  return { base, isWeb, folder: path.slice(0, path.lastIndexOf('/') + 1), document };
}

import type { DocumentKind } from '@gleaner/extraction';
import { parseContentType } from './parse-content-type.ts';

const XML_TYPE = /^(?:(?:text|application)\/xml|[^/]+\/[^/]+\+xml)$/;
const TEXT_TYPE = /^(?:text\/|application\/(?:json|javascript|x-javascript)$|[^/]+\/[^/]+\+json$)/;

/**
 * What a browser takes a document of this Content-Type for: JSON, scripts and every text that is neither HTML nor XML are
 * shown as they stand (https://html.spec.whatwg.org/#loading-a-document). Without a type it is HTML.
 */
export function documentKindOf(contentType: string | undefined): DocumentKind {
  const { essence } = parseContentType(contentType);
  if (XML_TYPE.test(essence)) return 'xml';
  return TEXT_TYPE.test(essence) && essence !== 'text/html' ? 'text' : 'html';
}

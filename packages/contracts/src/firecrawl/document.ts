import type { Static } from 'typebox';
import { defined } from '../defined.ts';
import type { PageSuccessSchema } from '../jobs/job.ts';
import type { ExtractedFormats } from '../scrape/formats.ts';
import type { ScrapeMetadata, Warning } from '../scrape/scrape-response.ts';

/** Name of the field that holds the whole document of a page: its format `html` may be a part of it. */
export const RAW_HTML_FIELD = 'rawHtml';

/** Name of the field that holds the summary of a page. */
export const SUMMARY_FIELD = '$summary';

/** Facts about the fetch of a page. */
type FetchMetadata = Pick<
  ScrapeMetadata,
  'url' | 'finalUrl' | 'statusCode' | 'timestamp' | 'credits' | 'creditsBreakdown' | 'cache' | 'llm'
>;

/** A page as a scrape or a job returns it. */
export type FirecrawlSource = Pick<Static<typeof PageSuccessSchema>, 'data' | 'formats'> & {
  readonly metadata: FetchMetadata;
  readonly warnings?: readonly Warning[];
};

/** Parts of a document that the page does not have itself. */
export interface FirecrawlContext {
  /** The image as a `data:` URL, or undefined. */
  readonly screenshot?: string | undefined;
  /** Remarks about the options of the request. */
  readonly warnings?: readonly string[];
}

/** Describes a page as Firecrawl does: a `Document` of its API. */
export function firecrawlDocument(page: FirecrawlSource, context: FirecrawlContext = {}): object {
  const { formats = {}, metadata } = page;
  const { markdown, html, links, images } = formats;
  const { [RAW_HTML_FIELD]: raw, [SUMMARY_FIELD]: summary, ...json } = page.data ?? {};
  const warning = [...(context.warnings ?? []), ...(page.warnings ?? []).map(({ message }) => message)].join(
    ' ',
  );
  return {
    ...defined({ markdown, html }),
    ...(typeof raw === 'string' && { rawHtml: raw }),
    ...(typeof summary === 'string' && { summary }),
    ...(metadata.llm && summary === undefined && { json }),
    ...(links && { links: links.map(({ url }) => url) }),
    ...(images && { images: images.map(({ url }) => url) }),
    ...defined({ screenshot: context.screenshot }),
    metadata: { ...pageMetadata(formats), ...fetchMetadata(metadata) },
    ...(warning !== '' && { warning }),
  };
}

/** Returns the metadata of a page under Firecrawl's names, without missing values. */
function pageMetadata({ metadata }: ExtractedFormats): object {
  if (!metadata) return {};
  const { title, description, language, author, robots, canonical, icons, pages } = metadata;
  const own = { title, description, language, author, robots, canonical, favicon: icons[0]?.url };
  return {
    ...socialMetadata('twitter', metadata.twitter),
    ...socialMetadata('og', metadata.openGraph),
    ...withoutGaps(own),
    ...defined({ numPages: pages }),
  };
}

function fetchMetadata({ url, finalUrl, statusCode, ...metadata }: FetchMetadata): object {
  const { credits, creditsBreakdown, cache, timestamp } = metadata;
  const proxyUsed = creditsBreakdown.antiBot === undefined ? 'basic' : 'stealth';
  const reused = cache && { cacheState: 'hit', cachedAt: timestamp };
  return { sourceURL: url, url: finalUrl, statusCode, proxyUsed, creditsUsed: credits, ...reused };
}

/** Returns properties such as `site_name` under names such as `ogSiteName`. */
function socialMetadata(prefix: string, properties: Readonly<Record<string, unknown>>): object {
  const texts = Object.entries(properties).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(
    texts.map(([name, value]) => {
      const words = name.split(/[^a-z0-9]+/i).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
      return [prefix + words.join(''), value];
    }),
  );
}

function withoutGaps(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

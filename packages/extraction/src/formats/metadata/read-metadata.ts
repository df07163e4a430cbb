import { languageOf } from '../../dom/language-of.ts';
import { resolveBase } from '../../dom/parse-url.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { once } from '../../once.ts';
import { pageNames } from '../../read/page-names.ts';
import type { FormatReader } from '../format-reader.ts';
import { collectSources, type MetadataContext } from './collect-sources.ts';
import { contentOf, type PropertyValues, readTwitter } from './meta-properties.ts';
import { readJsonLd } from './read-json-ld.ts';
import { type MicrodataItem, readMicrodata } from './read-microdata.ts';
import { type OpenGraph, readOpenGraph } from './read-open-graph.ts';
import { type LinkedFeed, type LinkedIcon, readRelated } from './read-related.ts';

/** Metadata of a page. A list is empty and a text is null where the page names none. */
export type Metadata = {
  readonly title: string | null;
  readonly description: string | null;
  /** Absolute URL of <link rel="canonical">. */
  readonly canonical: string | null;
  /** BCP 47 tag that the outermost element declares. */
  readonly language: string | null;
  readonly author: string | null;
  /** Content of <meta name="robots">. */
  readonly robots: string | null;
  readonly openGraph: OpenGraph;
  readonly twitter: PropertyValues;
  /** Values of the scripts of type application/ld+json, with lists of values flattened. */
  readonly jsonLd: readonly JsonValue[];
  readonly microdata: readonly MicrodataItem[];
  readonly feeds: readonly LinkedFeed[];
  readonly icons: readonly LinkedIcon[];
};

/** Reads what the page says of itself. JSON-LD that is not JSON is left out. */
export const readMetadata = ((document, { baseUrl, budget }): Metadata => {
  const context: MetadataContext = { base: once(() => resolveBase(document, baseUrl)), budget };
  const { metas, links, scripts, items } = collectSources(document, budget);
  return {
    ...pageNames(document, budget),
    language: languageOf(document) ?? null,
    author: contentOf(metas, 'author'),
    robots: contentOf(metas, 'robots'),
    ...readRelated(links, context),
    openGraph: readOpenGraph(document, metas, context),
    twitter: readTwitter(metas, budget),
    jsonLd: readJsonLd(scripts, budget),
    microdata: readMicrodata(document, items, context),
  };
}) satisfies FormatReader;

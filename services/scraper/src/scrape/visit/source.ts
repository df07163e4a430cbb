import { takeSnapshot } from '../../browser/tab/snapshot.ts';
import { classifyRendered } from '../../classify/classify-rendered.ts';
import { documentKindOf } from '../../decode/content-type.ts';
import type { RenderedPage } from '../page.ts';
import type { Reading } from './visit-page.ts';

/** Reads the document out of the browser. */
export async function takeSource({ tab, visit, parts }: Reading): Promise<void> {
  const { response } = visit.watch;
  parts.snapshot = await takeSnapshot(tab, documentKindOf(response?.headers['content-type']));
  if (response) parts.response = response;
}

/** Throws unless the document is the page that was asked for. */
export function classifySource({ parts: { response, snapshot } }: Reading): void {
  if (snapshot) classifyRendered(response, { url: snapshot.url, html: snapshot.source });
}

/** Warns of a page of XML that was read up to its first error. */
export function warnOfCut({ visited, warnings }: RenderedPage): void {
  if (visited.isCut) warnings.push(CUT_SHORT);
}

const CUT_SHORT = {
  code: 'XML_NOT_WELL_FORMED',
  message:
    'The page was sent as XML but is not well-formed, so it was read up to its first error, as browsers do. ' +
    'Without render, all of it is read.',
} as const;

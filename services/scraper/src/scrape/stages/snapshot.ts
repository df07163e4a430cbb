import { keepIfFits, PDF_NOT_KEPT, packPage } from '../../snapshots/pack-page.ts';
import type { Page } from '../page.ts';

/** Returns true for a page that is to be kept. */
export function wantsSnapshot({ request }: Page): boolean {
  return request.snapshot === true;
}

/** Compresses the document, before it is read, which may take its body. */
export async function packSnapshot(page: Page): Promise<void> {
  const { kind, encoding, documentEncoding = encoding, decode } = page.document;
  if (kind === 'pdf') return;
  const baseUrl = page.source.finalUrl;
  page.packed = await packPage(decode(), { kind, baseUrl, encoding: documentEncoding });
}

/** Returns the compressed document with the result, if it fits. */
export function keepSnapshot({ packed, document, found, warnings }: Page): void {
  const { snapshot, warnings: ofSize } = keepIfFits(packed, found);
  if (snapshot) found.snapshot = snapshot;
  warnings.push(...ofSize, ...(document.kind === 'pdf' ? [PDF_NOT_KEPT] : []));
}

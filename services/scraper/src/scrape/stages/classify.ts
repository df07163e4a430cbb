import { CLASSIFIED_BYTES, classifyResponse } from '../../classify/classify-response.ts';
import { isPdf } from '../../classify/describe-content.ts';
import { requirePdfOptions } from '../../classify/require-pdf-options.ts';
import { documentKindIn } from '../../decode/content-type.ts';
import { decodeBody, sniffEncoding } from '../../decode/sniff-encoding.ts';
import type { PlainPage } from '../page.ts';

/** Throws unless the response brought a document that can be read as the request wants it. */
export function classify(page: PlainPage): void {
  const { response, request, task } = page;
  const { body, headers } = response;
  const contentType = headers['content-type'];
  const isFile = isPdf(body, contentType);
  const encoding = isFile ? 'utf-8' : sniffEncoding(body, contentType);
  const html = isFile ? '' : decodeBody(body.subarray(0, CLASSIFIED_BYTES), encoding);
  classifyResponse({ ...response, html });
  if (isFile) requirePdfOptions(request, response);
  task.onFetched?.();
  page.document = {
    body,
    encoding,
    kind: isFile ? 'pdf' : documentKindIn(html, contentType),
    decode: () => decodeBody(body, encoding),
  };
}

import { makePdf } from '../../documents/make-pdf.ts';
import type { Exchange, OriginRoute } from '../behavior.ts';

/** Files instead of pages: PDFs with and without text, and downloads. */
export const FILE_ROUTES: readonly OriginRoute[] = [{ path: '/files/:name', behavior: sendFile }];

interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
  /** Sent as a download. */
  readonly isAttached?: true;
}

/** The files by their names. */
const FILES: Readonly<Record<string, ServedFile>> = {
  'report.pdf': {
    type: 'application/pdf',
    body: makePdf([[{ text: 'Kettles boiled 19,000 litres.' }], [{ text: 'Teapots held them.' }]], {
      title: 'Annual report',
      author: 'An honest shop',
    }),
  },
  'scan.pdf': { type: 'application/pdf', body: makePdf([[]]) },
  'cut.pdf': { type: 'application/pdf', body: makePdf([[{ text: 'Never read' }]]).subarray(0, 300) },
  'prices.csv': {
    type: 'text/csv; charset=utf-8',
    isAttached: true,
    body: Buffer.from('name,price\r\nKettle,19.90\r\nTeapot,24.50\r\n'),
  },
  'photos.zip': {
    type: 'application/zip',
    isAttached: true,
    // The record that ends an archive, of one without files.
    body: Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]),
  },
};

function sendFile({ response, params }: Exchange): void {
  const { name = '' } = params;
  const file = FILES[name];
  if (!file) throw new Error(`There is no file ${name}.`);
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': String(file.body.length),
    ...(file.isAttached && { 'content-disposition': `attachment; filename="${name}"` }),
  });
  response.end(file.body);
}

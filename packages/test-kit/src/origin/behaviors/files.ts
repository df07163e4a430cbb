import type { Exchange, OriginRoute } from '../behavior.ts';

/** Files instead of pages: PDFs with and without text, and downloads. */
export const FILE_ROUTES: readonly OriginRoute[] = [{ path: '/files/:name', behavior: sendFile }];

/** A PDF with one line of text on each page; one without lines has a page that shows nothing. */
function makePdf(lines: readonly string[], { title = '', author = '' } = {}): Buffer {
  const pages = lines.length === 0 ? [''] : lines;
  const ids = pages.map((_, index) => 5 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${escaped(title)}) /Author (${escaped(author)}) >>`,
    ...pages.flatMap((line, index) => {
      const content = line === '' ? '' : `BT /F1 24 Tf 72 720 Td (${escaped(line)}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + index * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}

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
    body: makePdf(['Kettles boiled 19,000 litres.', 'Teapots held them.'], {
      title: 'Annual report',
      author: 'An honest shop',
    }),
  },
  'scan.pdf': { type: 'application/pdf', body: makePdf([]) },
  'cut.pdf': { type: 'application/pdf', body: makePdf(['Never read']).subarray(0, 300) },
  'prices.csv': {
    ...{ type: 'text/csv; charset=utf-8', isAttached: true },
    body: Buffer.from('name,price\r\nKettle,19.90\r\nTeapot,24.50\r\n'),
  },
  'photos.zip': {
    ...{ type: 'application/zip', isAttached: true },
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

/** Lines of a page, or a stream that is its content as it is. */
type PageContent = readonly PdfLine[] | { readonly stream: Uint8Array; readonly filter: string };

/** A line of text, with the URL that it links to. */
interface PdfLine {
  readonly text: string;
  readonly size?: number;
  readonly url?: string;
}

/** Properties of a PDF, and what its last object is for. */
interface PdfTraits {
  readonly title?: string;
  readonly author?: string;
  /** Entries to add to the trailer, such as `/Encrypt`. */
  readonly trailer?: string;
}

/** Writes a PDF with these pages; one without lines shows nothing. */
export function makePdf(
  pages: readonly PageContent[],
  { title = '', author = '', trailer = '' }: PdfTraits = {},
): Buffer {
  const ids = pages.map((_, index) => 5 + index * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${escaped(title)}) /Author (${escaped(author)}) >>`,
    ...pages.flatMap((page, index) => {
      const links = 'stream' in page ? '' : annotationsOf(page);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + index * 2} 0 R${links} >>`,
        'stream' in page
          ? streamOf(page.stream, page.filter)
          : streamOf(Buffer.from(contentOf(page), 'latin1')),
      ];
    }),
  ];
  return writePdf(objects, trailer);
}

/** Writes objects, of which the first is the catalog and the fourth the properties, as a file. */
export function writePdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  const offsets = objects.map((object, index) => {
    const offset = length;
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
    return offset;
  });
  const size = objects.length + 1;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`)]);
}

/** Writes the object of a stream. */
function streamOf(content: Uint8Array, filter = ''): Buffer {
  const entries = `<< /Length ${content.length}${filter && ` /Filter ${filter}`} >>\nstream\n`;
  return Buffer.concat([Buffer.from(entries), content, Buffer.from('\nendstream')]);
}

const LEFT = 72;
const TOP = 720;
const DISTANCE = 40;

function contentOf(lines: readonly PdfLine[]): string {
  const shown = lines.map(
    ({ text, size = 12 }, index) =>
      `BT /F1 ${size} Tf ${LEFT} ${TOP - index * DISTANCE} Td (${escaped(text)}) Tj ET`,
  );
  return shown.join('\n');
}

function annotationsOf(lines: readonly PdfLine[]): string {
  const links = lines.flatMap(({ url }, index) => {
    const bottom = TOP - index * DISTANCE - 2;
    const area = `${LEFT} ${bottom} 540 ${bottom + 16}`;
    return url === undefined
      ? []
      : `<< /Type /Annot /Subtype /Link /Rect [${area}] /A << /S /URI /URI (${escaped(url)}) >> >>`;
  });
  return links.length > 0 ? ` /Annots [${links.join(' ')}]` : '';
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}

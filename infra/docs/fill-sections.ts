import { readFileSync } from 'node:fs';

/** Returns the page with the text between the comments `<!-- name -->` and `<!-- /name -->` replaced, for every name. */
export function fillSections(file: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce(
    (page, [name, text]) => fillSection(page, name, text, file),
    readFileSync(file, 'utf8'),
  );
}

function fillSection(page: string, name: string, text: string, file: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has no section ${name}.`);
  return before + start + text + end + after;
}

/** Markup, which is not escaped again. */
export interface Html {
  readonly html: string;
}

/** Values that a template may contain. */
export type Part = string | number | Html | undefined | readonly Part[];

/** Builds markup: texts are escaped, lists joined, and undefined leaves nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.reduce((text, string, index) => `${text}${markupOf(parts[index - 1])}${string}`) };
}

/** Takes a text as markup. */
export function trusted(text: string): Html {
  return { html: text };
}

/** Escapes a text for HTML and XML. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Renders data as a script of linked data; `<` is escaped, so that no text can close the script. */
export function linkedData(data: object): Html {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data }, null, 1);
  return trusted(`<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`);
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(markupOf).join('');
}

/** Attributes that hold one URL, and the ones that lazy-loading scripts keep it in. */
const URL_ATTRIBUTES = new Set(
  `href src action formaction poster cite data background longdesc manifest usemap codebase classid profile icon
  xlink:href content url`.split(/\s+/),
);

/** Whether `absolute` can resolve the attribute: it holds one URL by its definition, or is data-… of the author's. */
export function isUrlAttribute(name: string): boolean {
  const folded = name.toLowerCase();
  return URL_ATTRIBUTES.has(folded) || folded.startsWith('data-');
}

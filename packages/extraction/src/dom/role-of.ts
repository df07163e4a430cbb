import { attributeOf, type Node } from './node.ts';

/** Roles of WAI-ARIA 1.2 and Graphics-ARIA, without the abstract ones. */
const ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic graphics-document
  graphics-object graphics-symbol grid gridcell group heading img image insertion link list listbox listitem log main mark
  marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation
  progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status
  strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
  treegrid treeitem`.split(/\s+/),
);

const MAX_ROLE_CHARS = 100;

/** Returns the first valid role that an element states (WAI-ARIA 1.2 §5.4), or an empty text. */
export function roleOf(element: Node): string {
  const stated = attributeOf(element, 'role')?.slice(0, MAX_ROLE_CHARS);
  if (!stated) return '';
  const tokens = stated.trim().toLowerCase().split(/\s+/);
  return tokens.find((token) => ROLES.has(token)) ?? '';
}

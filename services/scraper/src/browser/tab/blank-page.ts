/** Most characters of a page with nothing but a note that it is loading. */
const MAX_LOADING_CHARS = 150;
/** Most images of one, such as a spinner. */
const MAX_LOADING_MEDIA = 2;

/**
 * Expression for a page still to be filled by its scripts: true if it has scripts, no frame and no field, and shows no
 * text, or little beside a `noscript` that asks for JavaScript. Properties are read through prototypes: a form can hide
 * those of the document.
 */
export const IS_BLANK = `(() => {
  const read = (owner, name) => Object.getOwnPropertyDescriptor(owner.prototype, name).get;
  const [children, valueOf, shadowOf] = [read(Node, 'childNodes'), read(CharacterData, 'data'), read(Element, 'shadowRoot')];
  const find = (selector) => Document.prototype.querySelectorAll.call(document, selector);
  if (frames.length > 0 || find('script').length === 0) return false;
  if (find('input:not([type=hidden]), textarea').length > 0) return false;
  if (find('img, svg, canvas, video, audio, object, embed, math').length > ${MAX_LOADING_MEDIA}) return false;
  const isAsked = Array.from(find('noscript')).some((each) => /java\\s?script/i.test(String(each.textContent).slice(0, 1000)));
  let left = isAsked ? ${MAX_LOADING_CHARS} : 1;
  const open = Array.from(find('body'));
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop()) {
    if (node instanceof Text) left -= valueOf.call(node).replace(/\\s+/g, '').length;
    else if (!(node instanceof Element) || !Element.prototype.matches.call(node, 'script, style, noscript, template'))
      for (const child of children.call(node)) open.push(child);
    if (node instanceof Element && shadowOf.call(node)) open.push(shadowOf.call(node));
  }
  return left > 0;
})()`;

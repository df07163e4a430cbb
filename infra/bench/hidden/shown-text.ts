/**
 * Returns an expression for the characters of text that a browser shows inside each element with the attribute, in document order.
 * It looks at the boxes of the letters, and shares no code with what the service does.
 */
export function shownTextIn(attribute: string): string {
  return `(() => {${SHOWN}
    return Array.from(document.querySelectorAll('[${attribute}]'), charactersIn);
  })()`;
}

const SHOWN = `
  const UNREAD = 'script, style, template, noscript, select, datalist, iframe, object, video, audio, svg';
  const charactersIn = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let shown = 0;
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const isRead = text.parentElement.closest(UNREAD) === null;
      if (isRead && isShown(text)) shown += text.data.replace(/\\s+/g, ' ').trim().length;
    }
    return shown;
  };
  const meets = (box, edge, start, end) => Math.min(box[end], edge[end]) - Math.max(box[start], edge[start]) > 1;
  const isShown = (text) => {
    if (getComputedStyle(text.parentElement).visibility !== 'visible') return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    let boxes = [...range.getClientRects()].filter(
      ({ width, height, right, bottom }) => width > 1 && height > 1 && right + scrollX > 0 && bottom + scrollY > 0,
    );
    for (let each = text.parentElement; each && boxes.length > 0; each = each.parentElement) {
      const { opacity, clip, clipPath, overflowX, overflowY, display, contentVisibility } = getComputedStyle(each);
      if (Number(opacity) < 0.01 || /^rect\\([01]px, [01]px, [01]px, [01]px\\)$/.test(clip)) return false;
      if (contentVisibility === 'hidden') return false;
      if (/^(inset\\((50|100)%|circle\\(0)/.test(clipPath)) return false;
      if (each === document.body || each === document.documentElement || display === 'inline') continue;
      const edge = each.getBoundingClientRect();
      if (/hidden|clip/.test(overflowX)) boxes = boxes.filter((box) => meets(box, edge, 'left', 'right'));
      if (/hidden|clip/.test(overflowY)) boxes = boxes.filter((box) => meets(box, edge, 'top', 'bottom'));
    }
    return boxes.length > 0;
  };`;

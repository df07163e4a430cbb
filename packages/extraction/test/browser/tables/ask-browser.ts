import type { ScriptlessPage } from '../chromium.ts';
import type { Grid } from './grid.ts';

/** Style for reading the slots of a cell off its position: columns of 10 pixels, and rows of 10 pixels. */
const STYLE = `
  * { all: revert; margin: 0 !important; padding: 0 !important; border: 0 !important; font-size: 0 !important; line-height: 0 !important }
  table { display: table !important; table-layout: fixed !important; border-spacing: 0 !important; border-collapse: separate !important }
  caption, td > *, th > * { display: none !important }
  tr { height: 10px !important } td, th { height: 10px !important; min-width: 0 !important }`;

/** Returns the grids of all tables of the loaded document, as laid out by the browser. */
export function askBrowser(page: ScriptlessPage): Promise<Grid[]> {
  return page.evaluate(`(() => {
    const tables = [...document.querySelectorAll('table')];
    const frame = document.createElement('iframe');
    document.documentElement.append(frame);
    const inner = frame.contentDocument;
    const style = inner.createElement('style');
    style.textContent = ${JSON.stringify(STYLE)};
    inner.head.append(style);
    const isHtml = (node) => node.namespaceURI === 'http://www.w3.org/1999/xhtml';
    const copy = (node) => inner.importNode(node, false);
    const strip = (element) => {
      for (const { name } of [...element.attributes]) if (name !== 'colspan' && name !== 'rowspan') element.removeAttribute(name);
      return element;
    };
    const GROUPS = /^(thead|tbody|tfoot|tr)$/;
    const copyRows = (from, to, depth) => {
      for (const child of from.children) {
        if (!isHtml(child)) continue;
        const isCell = /^t[dh]$/.test(child.localName);
        if (depth === 'row' ? !isCell : !GROUPS.test(child.localName)) continue;
        const row = child.localName === 'tr';
        if (depth === 'group' && !row) continue;
        const made = strip(copy(child));
        to.append(made);
        if (!isCell) copyRows(child, made, row ? 'row' : 'group');
      }
      return to;
    };
    const grids = tables.map((table) => {
      const made = copyRows(table, strip(copy(table)), 'table');
      const columns = [...made.querySelectorAll('td, th')].reduce((sum, { colSpan }) => sum + colSpan, 0);
      const count = Math.min(columns, 20000);
      for (let left = count; left > 0; left--) {
        const col = inner.createElement('col');
        col.style.width = '10px';
        made.prepend(col);
      }
      made.style.width = count * 10 + 'px';
      inner.body.replaceChildren(made);
      const { top, left } = made.getBoundingClientRect();
      return [...made.querySelectorAll('td, th')].map((cell) => {
        const box = cell.getBoundingClientRect();
        return [box.top - top, box.left - left, box.height, box.width].map((pixels) => Math.round(pixels / 10)).join(' ');
      });
    });
    frame.remove();
    return grids;
  })()`);
}

/** Returns the area of the first element that a selector matches, in the document; null without one, or if it shows nothing. */
export function areaOf(selector: string) {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  if (!box || box.width < 1 || box.height < 1) return null;
  const [x, y] = [Math.max(0, box.x + scrollX), Math.max(0, box.y + scrollY)];
  return {
    x,
    y,
    width: box.right + scrollX - x,
    height: box.bottom + scrollY - y,
  };
}

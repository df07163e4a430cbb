import type { Page } from 'playwright-core';

/** Steps from the first row to the last. */
const STEPS = 300;

/** Scrolls a region of the page from its start to its end, a step a frame, and returns the milliseconds of each frame. */
export async function measureScrolling(page: Page, region: string): Promise<number[]> {
  await page.getByRole('region', { name: region }).waitFor();
  return page.evaluate(`(${SCROLL})(${JSON.stringify(`section[aria-label="${region}"]`)}, ${STEPS})`);
}

/** Runs in the page. */
const SCROLL = `async (selector, steps) => {
  const element = document.querySelector(selector);
  const frames = [];
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  let before = await frame();
  for (let step = 1; step <= steps; step++) {
    element.scrollTop = (element.scrollHeight - element.clientHeight) * step / steps;
    const now = await frame();
    frames.push(now - before);
    before = now;
  }
  return frames;
}`;

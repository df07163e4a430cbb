/** `npm run bench [-- name …]`: measures side by side in one run and prints ratios; asserts nothing. */

/** Each bench is loaded when it runs, so that the rivals of one do not slow down another. */
const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  overhead: async () => (await import('./service/overhead.ts')).benchOverhead(),
  scrapes: async () => (await import('./service/scrapes.ts')).benchScrapes(),
  jobs: async () => (await import('./jobs/contenders.ts')).benchJobs(),
  'job-sizes': async () => (await import('./jobs/memory.ts')).benchJobSizes(),
  waits: async () => (await import('./jobs/contenders.ts')).benchWaits(),
  'large-crawl': async () => (await import('./jobs/memory.ts')).benchLargeCrawl(),
  dispatch: async () => (await import('./jobs/dispatch.ts')).benchDispatch(),
  endurance: async () => (await import('./endurance/endurance.ts')).benchEndurance(),
  render: async () => (await import('./render/render.ts')).benchRender(),
  hidden: async () => (await import('./hidden/hidden-text.ts')).benchHiddenText(),
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 1;
} else {
  for (const name of names) await BENCHES[name]?.();
}

import { Budget, compileSelectors, parseDocument } from '@gleaner/extraction';
import { extractWithMatches, renderView, suggest } from '@gleaner/selectors';
import { createRandom } from '../../chaos/random.ts';
import { percentile } from '../percentile.ts';

const SAMPLES = 60;
const baseUrl = 'https://example.org/';
const PLAN = compileSelectors({ title: 'h1', links: 'a::attr(href)::all', texts: 'p::all' });

/** Sizes of pages that are measured, and how long a proposal may take at the median. */
const SIZES = [
  { name: '50 KB', min: 35_000, max: 70_000, goalMs: 30 },
  { name: '1 MB', min: 600_000, max: 2_000_000, goalMs: 150 },
] as const;

/** Measures the CPU of each function on parsed pages of two sizes; wall time depends on what else the machine does. */
export function measureTime(pages: readonly string[]): void {
  for (const { name, min, max, goalMs } of SIZES) {
    const random = createRandom(5);
    const fitting = pages.filter(({ length }) => length >= min && length <= max);
    if (fitting.length === 0) continue;
    const times = new Map<string, number[]>();
    for (let sample = -5; sample < SAMPLES; sample++) {
      const document = parseDocument(fitting[random.between(0, fitting.length - 1)] as string, {
        budget: new Budget({ maxSteps: 1e9 }),
      });
      const pick = () => random.between(0, document.elements.length - 1);
      const picks = [pick(), pick()];
      const budget = new Budget({ maxSteps: 1e9 });
      const tasks = {
        'suggest one': () => suggest(document, { kind: 'one', picks: picks.slice(0, 1) }),
        'suggest list': () => suggest(document, { kind: 'list', picks }),
        extract: () => extractWithMatches(document, PLAN, { baseUrl }),
        view: () => renderView(document, { baseUrl, budget }),
      };
      for (const [task, work] of Object.entries(tasks)) {
        const before = process.threadCpuUsage();
        work();
        // The first samples are the warm-up.
        const { user, system } = process.threadCpuUsage(before);
        if (sample >= 0) times.set(task, [...(times.get(task) ?? []), (user + system) / 1000]);
      }
    }
    for (const [task, samples] of times) {
      const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)];
      console.log(
        `selectors ${name} ${task}: CPU p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, goal ${goalMs} ms`,
      );
    }
  }
}

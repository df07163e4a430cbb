/** Runs the simulation that its arguments describe, and sends the report to the process that forked it. */
import { type SimulationOptions, simulateDispatch } from './simulate-dispatch.ts';

const options: SimulationOptions = JSON.parse(process.argv[2] ?? '{}');
const { byAccount, ...report } = await simulateDispatch(options);
const shares = [...byAccount.values()];
process.send?.({
  ...report,
  /** Pages of the most served account, for each page of the least served one. */
  unfairness: Math.max(...shares) / Math.min(...shares),
  megabytes: process.memoryUsage().rss / 1e6,
});
process.disconnect?.();

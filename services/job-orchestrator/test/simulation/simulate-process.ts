/** Runs the simulation that its arguments describe, and sends the report to the process that forked it. */
import { type SimulationOptions, simulateDispatch } from './simulate-dispatch.ts';

const options: SimulationOptions = JSON.parse(process.argv[2] ?? '{}');
const { byAccount, ...report } = await simulateDispatch(options);
const shares = [...byAccount.values()];
process.send?.({
  ...report,
  /** Pages of the account that got most, for each page of the one that got least. */
  unfairness: Math.max(...shares) / Math.min(...shares),
  megabytes: process.memoryUsage().rss / 1e6,
});
process.disconnect?.();

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COSTS, type Cost, costOf } from './cost-categories.ts';

/** https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile, times in microseconds. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly url: string; readonly functionName: string };
  readonly children?: readonly number[];
}

/** Start and end of the profiled work, on the clock of the profiles. */
export interface ProfiledSpan {
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** Shares of the categories in the busy time of a process, all threads together. */
export type CostShares = Readonly<Record<Cost, number>>;

const IDLE = '(idle)';

/** Reads the shares of each process, by its id, from a folder of profiles by `node --cpu-prof`. */
export async function readProfiles(folder: string, span: ProfiledSpan): Promise<Map<number, CostShares>> {
  const micros = new Map<number, Record<Cost, number>>();
  for (const file of await readdir(folder)) {
    const pid = Number(/^CPU\.\d+\.\d+\.(\d+)\./.exec(file)?.[1]);
    if (Number.isNaN(pid)) continue;
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    const spent = micros.get(pid) ?? noCosts();
    micros.set(pid, spent);
    addProfile(spent, profile, span);
  }
  return new Map([...micros].map(([pid, spent]) => [pid, sharesOf(spent)]));
}

function addProfile(spent: Record<Cost, number>, profile: CpuProfile, span: ProfiledSpan): void {
  const costs = costsOfNodes(profile.nodes);
  let atMicros = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    atMicros += delta;
    const cost = costs.get(id);
    if (cost !== undefined && atMicros >= span.fromMicros && atMicros <= span.toMicros) spent[cost] += delta;
  }
}

/** Returns the category of each node: its own, or else that of its caller. Idle nodes are left out. */
function costsOfNodes(nodes: readonly ProfileNode[]): Map<number, Cost> {
  const costs = new Map<number, Cost>();
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  // Callers come before the functions that they call.
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === IDLE) continue;
    costs.set(id, costOf(callFrame) ?? costs.get(callers.get(id) ?? -1) ?? 'rest');
  }
  return costs;
}

function sharesOf(spent: Record<Cost, number>): CostShares {
  const total = Object.values(spent).reduce((sum, part) => sum + part, 0) || 1;
  return Object.fromEntries(COSTS.map((cost) => [cost, spent[cost] / total])) as Record<Cost, number>;
}

function noCosts(): Record<Cost, number> {
  return Object.fromEntries(COSTS.map((cost) => [cost, 0])) as Record<Cost, number>;
}

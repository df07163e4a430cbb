import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GleanerSetting, measureGleaner } from '../measure-gleaner.ts';
import type { Measured, Workload } from '../workload.ts';
import { COSTS, type Cost } from './cost-categories.ts';
import { readProfiles } from './read-profiles.ts';

/**
 * Repeats the work under a profiler, which slows everything alike, and prints for each process how the CPU measured without
 * the profiler divides among fetching, parsing and the rest.
 */
export async function attributeCost(
  bench: string,
  work: Workload,
  setting: GleanerSetting,
  measured: Measured,
): Promise<void> {
  const profiles = join(setting.dataDir, 'profiles');
  await mkdir(profiles, { recursive: true });
  const given = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = [given, '--cpu-prof', `--cpu-prof-dir=${profiles}`].filter(Boolean).join(' ');
  const profiled = await measureGleaner(work, setting).finally(() => {
    if (given === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = given;
  });
  const shares = await readProfiles(profiles, profiled);
  const totals = new Map<Cost, number>();
  const printRow = (name: string, cells: readonly string[]) =>
    console.log(`${bench.padEnd(9)} ${name.padEnd(17)} ${cells.map((cell) => cell.padStart(13)).join('')}`);
  printRow('ms a page', COSTS);
  for (const [name, cpuMs] of measured.cpuMs) {
    const own = shares.get(profiled.pids.get(name) ?? 0);
    if (!own) continue;
    for (const cost of COSTS) totals.set(cost, (totals.get(cost) ?? 0) + own[cost] * cpuMs);
    printRow(
      name,
      COSTS.map((cost) => (own[cost] * cpuMs).toFixed(2)),
    );
  }
  printRow(
    'in all',
    COSTS.map((cost) => (totals.get(cost) ?? 0).toFixed(2)),
  );
}

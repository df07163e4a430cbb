import { expect, it } from '@jest/globals';
import { runEndurance, SIZES } from './endurance.ts';

const LIMIT_MS = 900_000;
/** One browser with a page: its main process, the zygotes, the GPU, the network and the storage, a renderer and a spare one. */
const WARM_PROCESSES = 10;

it(
  'leaves the warm processes, no zombie, no folder of a killed browser and no file behind hostile pages',
  async () => {
    const { rounds, afterKills, leftAfterKills, leftByStacks, dataBytes } = await runEndurance(
      SIZES.short,
      () => {},
    );
    for (const look of [...rounds, afterKills]) {
      expect(look).toMatchObject({ services: rounds[0]?.services, zombies: 0, temporaryFiles: 0 });
      expect(look.browserProcesses).toBeLessThanOrEqual(WARM_PROCESSES);
      expect(look.profileFolders).toBeLessThanOrEqual(1);
    }
    expect(leftAfterKills).toBe(0);
    expect(leftByStacks).toMatchObject({ processes: 0, profiles: 0, files: 0 });
    const [, second = 0, last = 0] = dataBytes;
    expect(last).toBeLessThan(second * 1.25);
  },
  LIMIT_MS,
);

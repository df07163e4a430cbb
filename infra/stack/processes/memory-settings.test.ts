import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { memorySettings, nodeArguments, pageReaderSettings } from './memory-settings.ts';

describe('memorySettings', () => {
  it('equals the settings of the containers', async () => {
    const dockerfile = await readFile(join(import.meta.dirname, '../../docker/Dockerfile'), 'utf8');
    const { NODE_COMPILE_CACHE: _perMachine, ...settings } = memorySettings(undefined);
    for (const [name, value] of Object.entries(settings)) expect(dockerfile).toContain(`${name}=${value}`);
  });

  it("keeps the operator's own options", () => {
    expect(memorySettings('--inspect').NODE_OPTIONS).toBe('--inspect --max-semi-space-size=4');
  });
});

describe('pageReaderSettings', () => {
  it('equals the settings of the container', async () => {
    const compose = await readFile(join(import.meta.dirname, '../../../docker-compose.yml'), 'utf8');
    expect(compose).toContain(`NODE_OPTIONS: ${pageReaderSettings(undefined, 8e9).NODE_OPTIONS}`);
  });

  it('spends less memory on a small machine', () => {
    expect(pageReaderSettings(undefined, 512e6).NODE_OPTIONS).toBe('--max-semi-space-size=4');
    expect(nodeArguments(512e6)).toContain('--memory-saver-mode');
    expect(nodeArguments(8e9)).not.toContain('--memory-saver-mode');
  });
});

import { defineConfig, setting } from '@gleaner/config';
import { describe, expect, it } from '@jest/globals';
import { serviceSettings } from './common-settings.ts';

const TABLE = defineConfig({
  PORT: { type: setting.port, default: 8080, meaning: 'The port.' },
  NAMES: { type: setting.list, default: ['a', 'b'], meaning: 'Some | names.' },
  KEY: { type: setting.text, default: undefined, meaning: 'A key.', isSecret: true },
  LIMIT: { type: setting.integer({ minimum: 1, maximum: 9 }), meaning: 'A limit.' },
});

describe('serviceSettings', () => {
  it('joins the settings of a service with the common ones and those of the backends that it uses', () => {
    const names = Object.keys(serviceSettings({ config: TABLE, uses: ['broker'] }));
    expect(names).toEqual(expect.arrayContaining(['PORT', 'AMQP_URL', 'LOG_LEVEL']));
    expect(names).not.toContain('MONGODB_URI');
  });

  it("prefers a service's own row", () => {
    const own = defineConfig({ METRICS_PORT: { type: setting.port, default: 9, meaning: 'Mine.' } });
    expect(serviceSettings({ config: own, uses: [] })).toMatchObject({ METRICS_PORT: { default: 9 } });
  });
});

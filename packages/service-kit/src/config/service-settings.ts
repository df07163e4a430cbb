import type { Config, ConfigTable } from '@gleaner/config';
import { BROKER_SETTINGS, COMMON_SETTINGS, DATABASE_SETTINGS } from './common-settings.ts';

/** Values of all common settings. */
export type ServiceConfig = Config<
  typeof COMMON_SETTINGS & typeof BROKER_SETTINGS & typeof DATABASE_SETTINGS
>;

const BACKEND_SETTINGS = { broker: BROKER_SETTINGS, database: DATABASE_SETTINGS };

/** Lists all settings of a service: its own first, then the common ones that it does not replace. */
export function serviceSettings(service: {
  readonly config: ConfigTable;
  readonly uses: readonly (keyof typeof BACKEND_SETTINGS)[];
}): ConfigTable {
  const backends = service.uses.map((backend) => BACKEND_SETTINGS[backend]);
  return Object.assign({}, service.config, ...backends, COMMON_SETTINGS, service.config);
}

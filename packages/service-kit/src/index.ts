export { BROKER_SETTINGS, COMMON_SETTINGS, DATABASE_SETTINGS } from './config/common-settings.ts';
export { listen } from './health/listen.ts';
export { repeatAtIntervals } from './lifecycle/repeat-at-intervals.ts';
export type { ReadyMessage, RunningService } from './lifecycle/service.ts';
export { createLogger, type Logger } from './logger/create-logger.ts';
export { inBackground } from './logger/in-background.ts';
export { type Counter, createMetrics, type Histogram, type Metrics } from './metrics/create-metrics.ts';
export { runService } from './run-service.ts';
export { type CommandDeps, sendCommand } from './send-command.ts';

export { NOTIFY_SETTINGS } from './notify-settings.ts';
export { PROXY_SETTINGS } from './proxy-settings.ts';
export { findMisspelledNames, processEnv, readConfig } from './read-config.ts';
export { redact, redactLine } from './redact.ts';
export { renderConfigMarkdown, renderHelp } from './render-settings.ts';
export { type Config, type ConfigTable, defineConfig, setting } from './setting.ts';
export { EXIT_CODES, fromSettings, StartupError } from './startup-error.ts';
export { optimizeSooner, stopOptimizing } from './tune-v8.ts';

export { findMisspeltNames } from './find-misspelt-names.ts';
export { processEnv } from './process-env.ts';
export { PROXY_SETTINGS } from './proxy-settings.ts';
export { readConfig } from './read-config.ts';
export { redact, redactLine } from './redact.ts';
export { renderConfigMarkdown } from './render-config-markdown.ts';
export { renderHelp } from './render-help.ts';
export { type Config, type ConfigTable, defineConfig, setting } from './setting.ts';
export { EXIT_CODES, StartupError } from './startup-error.ts';

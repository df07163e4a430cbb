import type { Cli, GlobalOptions } from './cli.ts';
import { createProgram } from './create-program.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { createOutput } from './output/output.ts';
import { openFile, openStdout, type Sink } from './output/sink.ts';
import { findSettings, readSettings } from './settings/resolve-settings.ts';
import { openTerminal } from './terminal.ts';
import { readVersion } from './version.ts';

/** Creates the context of commands. The files and streams they open are added to `sinks`. */
export function createCli(process: NodeJS.Process, signal: AbortSignal, sinks: Sink[]): Cli {
  const terminal = openTerminal(process);
  const { env } = process;
  const folders = enterFolder(process);
  const surroundings = { env, folders, terminal };
  const settings = (options: GlobalOptions) => readSettings(options, surroundings);
  const version = readVersion();
  const keep = (sink: Sink): Sink => {
    sinks.push(sink);
    return sink;
  };
  const connect: Cli['connect'] = async (options) => {
    const { url, apiKey } = await settings(options);
    const { Gleaner } = await import('@gleaner/client');
    return new Gleaner({ url, apiKey, headers: { 'user-agent': `gleaner-cli/${version}` } });
  };
  const output: Cli['output'] = (options, formats) => {
    const { output: path } = options;
    const sink = keep(path && path !== '-' ? openFile(path) : openStdout(terminal.stdout));
    return createOutput(options, sink, formats);
  };
  const cli: Cli = {
    terminal,
    env,
    folders,
    version,
    signal,
    settings,
    connect,
    output,
    exit: EXIT_CODES.ok.code,
    comeBack: undefined,
    address: async (options) => (await findSettings(options, surroundings)).url,
    // The output comes first: it rejects options that do not fit.
    open: async (options) => ({ output: output(options), gleaner: await connect(options), call: { signal } }),
    file: (path) => keep(openFile(path)),
    program: (words) => createProgram(cli, words),
  };
  return cli;
}

/** Returns to the folder in which `npm run` was called: npm runs every script in the folder of its package. */
function enterFolder({ env, cwd, chdir }: NodeJS.Process): string[] {
  const folder = cwd();
  const { npm_lifecycle_event: script, INIT_CWD: called } = env;
  if (script !== 'gleaner' || !called) return [folder];
  chdir(called);
  return [called, folder];
}

/** Options that were read, `help`, or the error in the command line. */
export type ReadCommand<Options extends object> = Options | 'help' | { readonly fault: string };

/** A command that runs chaos and prints its report. */
export interface ChaosCommandLine<Options extends object, Report> {
  readonly help: string;
  run(options: Options & { readonly print: (line: string) => void }): Promise<Report>;
  render(report: Report): string;
  /** Returns true when no promise was broken. */
  isClean(report: Report): boolean;
}

/** Runs a command and prints its report, its help, or the error. Sets the exit code: 1 for an error or a broken promise. */
export async function runCommand<Options extends object, Report>(
  command: ReadCommand<Options>,
  { help, run, render, isClean }: ChaosCommandLine<Options, Report>,
): Promise<void> {
  if (command === 'help') return console.log(help);
  if ('fault' in command) {
    console.error(`${command.fault}\n\n${help}`);
    process.exitCode = 1;
    return;
  }
  const report = await run({ ...command, print: (line) => console.log(line) });
  console.log(render(report));
  process.exitCode = isClean(report) ? 0 : 1;
}

/** Reads a command line with `read`, which returns `help` or throws an error that explains what is wrong. */
export function readCommand<Options extends object>(read: () => Options | 'help'): ReadCommand<Options> {
  try {
    return read();
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Parses an integer with a minimum. */
export function readCount(option: string, text: string, least: number): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw new Error(`--${option} takes a whole number from ${least} on, not "${text}".`);
}

/** Parses one of several names. */
export function readOneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Error(`--${option} takes ${names.map((name) => `"${name}"`).join(', ')}, not "${text}".`);
}

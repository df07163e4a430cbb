/** Characters of a process's output that are shown at the terminal. */
const MAX_SHOWN = 4000;

/** Returns why a process ended, from its output: the messages it logged as fatal, else the last lines it printed. */
export function exitReason(output: string): string {
  const fatal = output.split('\n').flatMap((line) => fatalMessage(line) ?? []);
  return fatal.length > 0 ? fatal.join('\n') : output.slice(-MAX_SHOWN).trim();
}

function fatalMessage(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level, msg } = JSON.parse(line) as { level?: unknown; msg?: unknown };
    return level === 'fatal' && typeof msg === 'string' ? msg : undefined;
  } catch {
    return undefined;
  }
}

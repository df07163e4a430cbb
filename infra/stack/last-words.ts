/** As much of a process's output as is shown at the terminal, in characters. */
const MAX_SHOWN = 4000;

/** Why a process ended, from the end of its output: what it logged as fatal, in words, or else what it printed last. */
export function lastWords(output: string): string {
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

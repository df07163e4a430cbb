import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Shells that have completions, as they start without anyone's settings. */
const SHELLS = {
  bash: { start: 'bash --norc --noprofile -i', load: `PS1='> '; eval "$(gleaner completion bash)"` },
  zsh: {
    start: 'zsh -f -i',
    load: `PS1='> '; autoload -Uz compinit; compinit -u -D; source <(gleaner completion zsh)`,
  },
  fish: { start: 'fish --no-config -i', load: 'gleaner completion fish | source' },
} as const;
export type Shell = keyof typeof SHELLS;

const ON_TERMINAL = ['script', '-qec'] as const;
const WITHIN_MS = 240_000;
const [TAB, LINE_START, END] = ['\t', '\u0001', '\u0004'];

/** Types lines at a shell on a pseudo-terminal, presses the Tab key after each, and returns what the lines became. */
export async function completeInShell(
  shell: Shell,
  lines: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): Promise<string[]> {
  const { start, load } = SHELLS[shell];
  const [program, ...flags] = ON_TERMINAL;
  const child = spawn(program, [...flags, `stty cols 200; exec ${start}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  try {
    let shown = '';
    let wake = () => {};
    child.stdout.on('data', (chunk) => {
      shown += chunk;
      wake();
    });
    const signal = AbortSignal.timeout(WITHIN_MS);
    const read = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const match = pattern.exec(shown);
        if (match) {
          shown = shown.slice(match.index + match[0].length);
          return match[1] ?? '';
        }
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          signal.addEventListener('abort', () => reject(new Error(`${shell} showed ${shown}`)), {
            once: true,
          });
        });
      }
    };
    // Quotes inside of a word tell what a command prints from the command itself.
    child.stdin.write(`${load}; echo RE""ADY\n`);
    await read(/READY\r?\n/);
    const completed: string[] = [];
    for (const line of lines) {
      child.stdin.write(`${line}${TAB}${LINE_START}echo GO""T: \n`);
      completed.push(await read(/GOT: (.*)\r?\n/));
    }
    child.stdin.end(`\n${END}`);
    return completed;
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

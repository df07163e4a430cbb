import { Argument, type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import {
  FILES,
  type Place,
  readPlace,
  type Suggestion,
  valuesOfArgument,
  valuesOfOption,
} from '../completion/values.ts';
import { createProgram } from '../create-program.ts';
import { collect } from '../input/option-values.ts';
import { printable } from '../terminal.ts';

interface Flags {
  readonly words?: boolean;
}

/** `gleaner completion <shell>`: prints a script for the shell, which asks this command for the words. */
export function defineCompletion(command: Command, cli: Cli): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .argument('[words...]', 'words of a command line, the last one unfinished')
    .addOption(new Option('--words', 'print what can follow these words').hideHelp())
    .action(async (shell: string, words: string[], { words: isQuery }: Flags) => {
      const { stdout } = cli.terminal;
      if (!isQuery) return void stdout.write(SCRIPTS[shell] ?? '');
      const found = await suggest(words, cli);
      if (found === FILES) return void stdout.write(`:${FILES}\n`);
      // A description is one line, of texts that come from strangers.
      for (const { word, about } of found) stdout.write(`${word}\t${toLine(about)}\n`);
    });
}

function toLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '));
}

/**
 * Scripts by shell. Each hands the words so far to the command and offers what it prints: lines of word, tab, description,
 * or `:files` for the names of files.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion of gleaner. Load it with: eval "$(gleaner completion bash)"
_gleaner() {
  local rest=\${COMP_LINE:0:COMP_POINT} word text line i
  local -a words
  words=()
  # Bash takes words apart at = and :, so parts without a space between them are joined again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    text=\${rest#"\${rest%%[![:space:]]*}"}
    if ((i == COMP_CWORD)); then word=$text; fi
    if ((i == 0)) || [[ $text != "$rest" ]]; then
      words+=("$word")
    else
      words[\${#words[@]}-1]+=$word
    fi
    rest=\${text#"$word"}
  done
  word=\${words[\${#words[@]}-1]}
  # What stands before the last of them is not replaced.
  local breaks=\${COMP_WORDBREAKS//[!=:]/} fixed=
  if [[ -n $breaks ]]; then fixed=\${word%"\${word##*[$breaks]}"}; fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt +o nosort -o default 2>/dev/null || while IFS= read -r line; do
        COMPREPLY+=("$line")
      done < <(compgen -f -- "\${word#"$fixed"}")
    else
      line=\${line%%$'\\t'*}
      COMPREPLY+=("\${line#"$fixed"}")
    fi
  done < <(gleaner completion --words bash -- "\${words[@]:1}" 2>/dev/null)
}
complete -o nosort -F _gleaner gleaner 2>/dev/null || complete -F _gleaner gleaner
`,
  zsh: `#compdef gleaner
# zsh completion of gleaner. Load it with: source <(gleaner completion zsh)
_gleaner() {
  local line word
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compset -P '--*='
      _files
      return
    fi
    word=\${\${line%%$'\\t'*}//:/\\\\:}
    line=\${line#*$'\\t'}
    found+=("$word\${line:+:$line}")
  done < <(gleaner completion --words zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe -V gleaner found
}
if [[ $funcstack[1] == _gleaner ]]; then
  _gleaner "$@"
else
  compdef _gleaner gleaner
fi
`,
  fish: `# fish completion of gleaner. Load it with: gleaner completion fish | source
function __gleaner_words
  set -l token (commandline -ct)
  set -l words (commandline -opc) $token
  for line in (gleaner completion --words fish -- $words[2..-1] 2>/dev/null)
    if test "$line" = ':files'
      set -l flag (string match -r -- '^--[^=]*=' $token)
      for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $token))
        printf '%s\\n' "$flag$path"
      end
    else
      printf '%s\\n' $line
    end
  end
end
complete -c gleaner -f -k -a '(__gleaner_words)'
`,
};

/** Returns what can follow the words of a command line, the last of which is unfinished. */
export async function suggest(words: readonly string[], cli: Cli): Promise<Suggestion[] | typeof FILES> {
  const done = words.slice(0, -1);
  const unfinished = words.at(-1) ?? '';
  const place = readPlace(await createProgram(cli, done), done);
  const found = await find(place, unfinished, cli);
  return found === FILES ? FILES : found.filter(({ word }) => word.startsWith(unfinished));
}

async function find(place: Place, unfinished: string, cli: Cli): Promise<Suggestion[] | typeof FILES> {
  const { command, operands, expects } = place;
  if (expects) return await valuesOfOption(expects, unfinished, place, cli);
  if (unfinished.startsWith('-') && !place.isAfterDashes) {
    const [flag = '', value] = splitAtFirst(unfinished, '=');
    if (value === undefined) return optionsOf(place);
    const option = command.options.find(({ long }) => long === flag);
    const values = option?.required ? await valuesOfOption(option, value, place, cli) : [];
    return values === FILES ? FILES : values.map(({ word, about }) => ({ word: `${flag}=${word}`, about }));
  }
  if (command.commands.length > 0) {
    return operands > 0 ? [] : command.commands.map((each) => ({ word: each.name(), about: each.summary() }));
  }
  return await valuesOfArgument(place, cli);
}

function optionsOf({ command, given }: Place): Suggestion[] {
  const isOpen = (option: Option) => option.parseArg === collect || !given.has(option.attributeName());
  return command.options
    .filter((option) => option.long && !option.hidden && isOpen(option))
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
    .concat({ word: '--help', about: 'print this help' });
}

function splitAtFirst(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/**
 * Scripts by shell. Each hands the words so far to the command and offers what it prints: lines of word, tab, description,
 * or `:files` for the names of files.
 */
export const SCRIPTS: Readonly<Record<string, string>> = {
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

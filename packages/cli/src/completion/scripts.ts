/** Scripts by shell. Each hands the words so far to the command and offers what it prints: word, tab, description. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# bash completion of gleaner. Load it with: source <(gleaner completion bash)
_gleaner() {
  local word line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(gleaner completion --words bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Without a word to offer, the shell completes file names.
}
complete -o default -F _gleaner gleaner
`,
  zsh: `#compdef gleaner
# zsh completion of gleaner. Load it with: source <(gleaner completion zsh)
_gleaner() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(gleaner completion --words zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -V gleaner found
  else
    _files
  fi
}
compdef _gleaner gleaner
`,
  fish: `# fish completion of gleaner. Load it with: gleaner completion fish | source
function __gleaner_words
  set -l words (commandline -opc) (commandline -ct)
  gleaner completion --words fish -- $words[2..-1] 2>/dev/null
end
complete -c gleaner -k -a '(__gleaner_words)'
`,
};

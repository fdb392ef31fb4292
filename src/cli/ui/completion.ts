/** Scripts that ask `ben10 completion SHELL -- WORD…` what the last word can become, and leave files to the shell. */
export const SCRIPTS = {
  bash: `# ben10 completion for bash
_ben10() {
  local line="\${COMP_LINE:0:COMP_POINT}" typed before value
  local -a words
  IFS=$' \\t\\n' read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  typed="\${words[\${#words[@]}-1]}"
  # Bash puts what is chosen behind the last of these, such as the colon of @save:, but replaces an @.
  before="\${typed%"\${typed##*[$COMP_WORDBREAKS]}"}"
  before="\${before%@}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    printf -v value %q "\${value#"$before"}"
    COMPREPLY+=("$value")
  done < <(ben10 completion bash -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _ben10 ben10
`,
  zsh: `#compdef ben10
# ben10 completion for zsh
_ben10() {
  local line
  local -a values shown
  for line in "\${(@f)$(ben10 completion zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  }")
  done
  if (( $#values )); then compadd -V ben10 -l -d shown -a values; else _files; fi
}
compdef _ben10 ben10
`,
  fish: `# ben10 completion for fish
function __ben10_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l typed (commandline -ct)
  set -l found (ben10 completion fish -- $words "$typed" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$typed"
  end
end
complete -c ben10 -f -a '(__ben10_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS) as Shell[];

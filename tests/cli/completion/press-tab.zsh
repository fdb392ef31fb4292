# zsh -f press-tab.zsh LINE FILE: types LINE and TAB into an interactive zsh, which writes into FILE what it offers, and then the line.
zmodload zsh/zpty
zpty shell zsh -f -i
say() { zpty -w shell "$1" }
say "PS1=; file=${(q)2}"
say 'autoload -Uz compinit; compinit -u -D; source <(ben10 completion zsh)'
say 'compadd() { local -a fit; builtin compadd -O fit "$@"; print -rl -- $fit >>$file; builtin compadd "$@" }'
say 'show() { print -r -- "line: $BUFFER" >>$file; exit }; zle -N show; bindkey "^X" show; print ready'
zpty -r shell seen '*ready*ready*'
zpty -w -n shell "$1"$'\t\x18'
while zpty -r shell seen; do :; done

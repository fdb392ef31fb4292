# bash press-tab.bash LINE: what bash's completion gets for LINE
source <(ben10 completion bash)
COMP_LINE=$1 COMP_POINT=${#1}
_ben10
printf '%s\n' "${COMPREPLY[@]}"

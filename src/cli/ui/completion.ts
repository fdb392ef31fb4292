import { CONFIG_KEYS } from '../../platform/config/keys.ts';
import { CONFIG_ACTIONS } from '../commands/config.ts';
import { SNAPSHOT_ACTIONS } from '../commands/snapshot.ts';
import { loadAll } from '../commands.ts';
import { type OptionHelp, optionsOf } from './help.ts';

interface CommandWords {
  name: string;
  description: string;
  options: OptionHelp[];
  takesFiles: boolean;
  /** Possible arguments. */
  words: readonly string[];
}

const FILE_COMMANDS = new Set(['import']);

const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['config', [...CONFIG_ACTIONS, ...CONFIG_KEYS.map(({ name }) => name)]],
  ['save', ['list', 'delete']],
  ['snapshot', SNAPSHOT_ACTIONS],
]);

export async function describeCommands(): Promise<CommandWords[]> {
  return [...(await loadAll())].map(([name, commandClass]) => ({
    name,
    description: commandClass.usage?.description ?? '',
    options: optionsOf(commandClass),
    takesFiles: FILE_COMMANDS.has(name),
    words: WORDS.get(name) ?? [],
  }));
}

/** A completion script for the shell; it starts no ben10 process. */
export function completionFor(
  shell: 'bash' | 'zsh' | 'fish',
  commands: readonly CommandWords[],
): string {
  if (shell === 'bash') return bash(commands);
  return shell === 'zsh' ? zsh(commands) : fish(commands);
}

const wordsOf = ({ options, words }: CommandWords): string =>
  [...words, ...options.flatMap(({ names }) => names), '--help'].join(' ');

function bash(commands: readonly CommandWords[]): string {
  const cases = commands.map((command) => {
    const files = command.takesFiles ? ' files=1' : '';
    return `    ${command.name}) words='${wordsOf(command)}'${files} ;;`;
  });
  return `# ben10 completion for bash
_ben10() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words='' files=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$files" ] && [ "\${current#-}" = "$current" ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _ben10 ben10
`;
}

/** Escaped for single quotes, and for the brackets and colons of zsh's notation. */
const zshText = (text: string): string =>
  text.replaceAll("'", "'\\''").replace(/[[\]:\\]/g, (char) => `\\${char}`);

function zsh(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${zshText(description)}'`);
  const cases = commands.map(({ name, options, takesFiles, words }) => {
    const specs = options.flatMap(({ names: all, value, description }) =>
      all.map((option) => {
        const argument = value === undefined ? '' : `:${zshText(value)}:`;
        return `'*${option}[${zshText(description)}]${argument}'`;
      }),
    );
    if (takesFiles) specs.push("'*:file:_files'");
    if (words.length > 0) specs.push(`'*:argument:(${words.join(' ')})'`);
    return `    ${name}) _arguments ${[...specs, "'--help[Show help]'"].join(' ')} ;;`;
  });
  return `#compdef ben10
# ben10 completion for zsh
_ben10() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _ben10 ben10
`;
}

const fishText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");

function fish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, description, options, takesFiles, words }) => {
    const here = `complete -c ben10 -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ben10 -n __fish_use_subcommand -a ${name} -d '${fishText(description)}'`,
      ...options.flatMap(({ names, value, description: about }) =>
        names.map((option) => {
          const long = option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`;
          return `${here} ${long}${value === undefined ? '' : ' -x'} -d '${fishText(about)}'`;
        }),
      ),
      ...(takesFiles ? [`${here} -F`] : []),
      ...(words.length > 0 ? [`${here} -a '${words.join(' ')}'`] : []),
    ];
  });
  return `# ben10 completion for fish\ncomplete -c ben10 -f\n${lines.join('\n')}\n`;
}

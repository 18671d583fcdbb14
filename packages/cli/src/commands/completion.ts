import { Command } from 'commander'
import { CommandError } from '../command-error.js'
import { type Terminal, writeLine } from '../terminal.js'

/** The words that may follow a command, such as those of `shards drain`. */
type Words = ReadonlyMap<string, readonly string[]>

const SHELLS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish }

/** `isotherm completion`: a script with which a shell completes commands and flags. */
export function completionCommand(terminal: Terminal, loadAll: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .argument('[shell]', Object.keys(SHELLS).join(', '))
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm completion bash >> ~/.bashrc\n' +
        '  isotherm completion zsh >> ~/.zshrc\n' +
        '  isotherm completion fish > ~/.config/fish/completions/isotherm.fish\n',
    )
    .action(async (shell: string | undefined) => {
      const script = SHELLS[shell ?? '']
      if (script === undefined) {
        const problem = shell === undefined ? 'The shell is missing' : `The shell is '${shell}'`
        throw new CommandError(`${problem}; it must be ${Object.keys(SHELLS).join(' or ')}.`)
      }
      writeLine(terminal.out, script(wordsOf(await loadAll())))
    })
}

function wordsOf(commands: readonly Command[]): Words {
  const words = new Map<string, readonly string[]>([
    ['', [...commands.map((command) => command.name()), 'help', '--help', '--version']],
  ])
  const add = (command: Command, path: string) => {
    const flags = command.options.flatMap(({ long }) => (long ? [long] : []))
    words.set(path, [...command.commands.map((each) => each.name()), ...flags, '--help'])
    for (const inner of command.commands) add(inner, `${path} ${inner.name()}`)
  }
  for (const command of commands) add(command, command.name())
  return words
}

/** Files are completed where no word fits. */
function bash(words: Words): string {
  const cases = Array.from(words, ([path, list]) => `    "${path}") words="${list.join(' ')}" ;;`)
  return `_isotherm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _isotherm isotherm`
}

function zsh(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`
}

function fish(words: Words): string {
  const lines = [...words].flatMap(([path, list]) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
    return list.map((word) => {
      const kind = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      return `complete -c isotherm -n '${condition}' ${kind}`
    })
  })
  return lines.join('\n')
}

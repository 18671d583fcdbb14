import { type CommandWords, HELP_COMMAND, type OfferedWord } from './command-words.js'

/**
 * A function for bash. Files are completed where it offers nothing. bash splits `--flag=value` into three words.
 */
export function bashScript(commands: readonly CommandWords[]): string {
  return `_isotherm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at="" word words="" flags="" is_help=""
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -z "$at$is_help" ] && [ "$word" = ${HELP_COMMAND} ]; then
      is_help=true
      continue
    fi
    case "\${at:+$at }$word" in
      ${commands.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join('|')}) at="\${at:+$at }$word" ;;
      *) break ;;
    esac
  done
  case "$at $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${commands.map(wordCase).join('\n')}
  esac
  if [ -n "$is_help" ]; then flags=""; fi
  case "$current" in
    -*) words="$flags" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _isotherm isotherm`
}

function valueCases({ path, flags }: CommandWords): readonly string[] {
  return flags.flatMap(({ word, takesValue, values }) => {
    if (!takesValue) return []
    const offer =
      values.length === 0 ? 'COMPREPLY=()' : `COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$current"))`
    return [`    "${path} ${word}") ${offer}; return ;;`]
  })
}

function wordCase({ path, commands, flags }: CommandWords): string {
  return `    "${path}") words="${listed(commands)}" flags="${listed(flags)}" ;;`
}

function listed(words: readonly OfferedWord[]): string {
  return words.map(({ word }) => word).join(' ')
}

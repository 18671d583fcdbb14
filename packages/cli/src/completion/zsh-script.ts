import { type CommandWords, HELP_COMMAND, type OfferedWord } from './command-words.js'

/** A function for zsh, in its own terms: it shows what each word means. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef isotherm
_isotherm() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local at="" word is_help=""
  local -a offered flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -z "$at$is_help" && "$word" == ${HELP_COMMAND} ]]; then
      is_help=true
      continue
    fi
    case "\${at:+$at }$word" in
      (${commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|')}) at="\${at:+$at }$word" ;;
      (*) break ;;
    esac
  done
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    compset -P '*='
  fi
  case "$at $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${commands.map(wordCase).join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    [[ -n "$is_help" ]] || _describe -o flag flags
  elif (( $#offered )); then
    _describe command offered
  elif [[ -z "$is_help" ]]; then
    _files
  fi
}
if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
compdef _isotherm isotherm`
}

function valueCases({ path, flags }: CommandWords): readonly string[] {
  return flags.flatMap(({ word, takesValue, values }) => {
    if (!takesValue) return []
    const offer = values.length === 0 ? '_files' : `compadd -- ${values.map(quoted).join(' ')}`
    return [`    (${quoted(`${path} ${word}`)}) ${offer}; return ;;`]
  })
}

function wordCase({ path, commands, flags }: CommandWords): string {
  return `    (${quoted(path)}) offered=(${described(commands)}) flags=(${described(flags)}) ;;`
}

/** Name and description are divided by a colon. */
function described(words: readonly OfferedWord[]): string {
  return words.map(({ word, description }) => quoted(`${word}:${description}`)).join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

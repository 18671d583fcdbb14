import { type CommandWords, HELP_COMMAND } from './command-words.js'

/** Commands for fish. Each is offered on a condition: at which command of \`isotherm\` the line is. */
export function fishScript(commands: readonly CommandWords[]): string {
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]))
  return `function __isotherm_at
  set -l at
  set -l is_help
  for word in (commandline -opc)[2..-1]
    if test "$word" = ${HELP_COMMAND} -a -z "$at$is_help"
      set is_help "help "
      continue
    end
    contains -- (string join -- ' ' $at $word) ${paths.join(' ')}
    or break
    set -a at $word
  end
  echo "$is_help"(string join -- ' ' $at)
end
function __isotherm_is
  test "$(__isotherm_at)" = "$argv[1]"
end
complete -c isotherm -e
${commands.flatMap(linesOf).join('\n')}`
}

function linesOf({ path, commands, flags }: CommandWords): readonly string[] {
  const complete = (condition: string) => `complete -c isotherm -n ${quoted(condition)}`
  const here = `__isotherm_is ${quoted(path)}`
  return [
    // Files are offered where no command fits.
    ...commands.flatMap(({ word, description }) => [
      `${complete(here)} -f -a ${word} -d ${quoted(description)}`,
      ...(word === HELP_COMMAND
        ? []
        : [
            `${complete(`__isotherm_is ${quoted(`${HELP_COMMAND} ${path}`)}`)} -f -a ${word} -d ${quoted(description)}`,
          ]),
    ]),
    ...flags.map(({ word, description, takesValue, values }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : ''
      return `${complete(here)} -l ${word.slice(2)}${value} -d ${quoted(description)}`
    }),
  ]
}

/** In quotes, fish knows two escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

import type { Command, Option } from 'commander'
import { CommandError } from './command-error.js'

/**
 * An option as it is written, such as `--enable`, or with one of its values, such as `--format sarif`.
 */
type Written = `--${string}`

/**
 * When the options of a command have an effect. An option without one is refused: it was given for a reason, and the command would do
 * something else than its user believes.
 *
 * A dry run is not refused. It is the command that the user is about to run, with a flag more.
 */
export class OptionRules {
  readonly #command: Command

  constructor(command: Command) {
    this.#command = command
  }

  /** The options have an effect only beside one of the others. */
  needs(options: readonly Written[], others: readonly Written[]): this {
    return this.#check((command) => {
      const ineffective = options.find((option) => isGiven(command, option))
      if (ineffective === undefined || others.some((other) => isSet(command, other))) return
      const needed = others.join(' or ')
      throw new CommandError(
        `${ineffective} has no effect without ${needed}. Add ${needed}, or leave out ${ineffective}.`,
      )
    })
  }

  /** The options have no effect beside any of the others. */
  excludes(options: readonly Written[], others: readonly Written[]): this {
    return this.#check((command) => {
      const ineffective = options.find((option) => isGiven(command, option))
      const other = others.find((each) => isGiven(command, each))
      if (ineffective !== undefined && other !== undefined) throw withoutEffect(ineffective, other)
    })
  }

  /** Beside this option, only those that are named have an effect. */
  allows(option: Written, others: readonly Written[]): this {
    return this.#check((command) => {
      if (!isGiven(command, option)) return
      const allowed: readonly string[] = [option, ...others]
      const ineffective = command.options.find(
        (each) => !allowed.includes(longOf(each)) && isGiven(command, longOf(each)),
      )
      if (ineffective !== undefined) throw withoutEffect(longOf(ineffective), option)
    })
  }

  #check(check: (command: Command) => void): this {
    this.#command.hook('preAction', (_, command) => check(command))
    return this
  }
}

function withoutEffect(option: string, other: string): CommandError {
  return new CommandError(`${option} has no effect with ${other}. Leave out one of them.`)
}

/** Whether the command line has the option, and the value if one is named. */
function isGiven(command: Command, written: string): boolean {
  const { option } = parsed(command, written)
  return command.getOptionValueSource(option.attributeName()) === 'cli' && isSet(command, written)
}

/** The same where a default counts, too. */
function isSet(command: Command, written: string): boolean {
  const { option, wanted } = parsed(command, written)
  const value: unknown = command.getOptionValue(option.attributeName())
  if (wanted !== undefined) return Array.isArray(value) ? value.includes(wanted) : value === wanted
  if (option.negate) return value === false
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}

function parsed(command: Command, written: string): { readonly option: Option; readonly wanted?: string } {
  const [long, wanted] = written.split(' ')
  const option = command.options.find((each) => each.long === long)
  if (option === undefined) throw new Error(`${command.name()} has no option ${long}.`)
  return { option, ...(wanted === undefined ? {} : { wanted }) }
}

function longOf({ long, flags }: Option): string {
  return long ?? flags
}

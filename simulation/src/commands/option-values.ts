import { CommandError } from '../command-error.js'

/** Reads what an option was given. @throws CommandError, naming the option, the value and the rule */
type ValueReader<Value> = (option: string, text: string) => Value

export function wholeNumber(min: number, max: number): ValueReader<number> {
  return (option, text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value
    throw new CommandError(`--${option} is '${text}'; it must be a whole number from ${min} to ${max}.`)
  }
}

export function decimalNumber(min: number, max: number): ValueReader<number> {
  return (option, text) => {
    const value = Number(text)
    if (/^\d+(\.\d+)?$/.test(text) && value >= min && value <= max) return value
    throw new CommandError(`--${option} is '${text}'; it must be a number from ${min} to ${max}.`)
  }
}

export function oneOf<Name extends string>(names: readonly Name[]): ValueReader<Name> {
  return (option, text) => {
    const known = names.find((each) => each === text)
    if (known !== undefined) return known
    throw new CommandError(`--${option} is '${text}'; it must be one of ${names.join(', ')}.`)
  }
}

/** One or more of a few names, in the order in which they are given: what is drawn from them depends on it. */
export function listOf<Name extends string>(names: readonly Name[]): ValueReader<readonly Name[]> {
  return (option, text) => {
    const given = text.split(',')
    const known = given.flatMap((name) => names.find((each) => each === name) ?? [])
    if (known.length === given.length && new Set(given).size === given.length) return known
    const list = names.join(', ')
    throw new CommandError(
      `--${option} is '${text}'; it must be one or more of ${list}, with commas, each once.`,
    )
  }
}

import { CommandError } from './command-error.js'

/** The highest count that the library accepts. */
export const MAX_SHARDS = 1_000

/** Parses a flag's value. @throws CommandError, naming the flag, the value and the rule */
export type FlagParser<Value> = (text: string) => Value

/** The words that a parser accepts, for shells that complete them. */
const WORDS = new WeakMap<object, readonly string[]>()

/** The words that the parser of a flag accepts. Empty if it accepts others than words of a list. */
export function wordsOfParser(parser: object | undefined): readonly string[] {
  return (parser && WORDS.get(parser)) ?? []
}

function accepting<Parser extends object>(words: readonly string[], parser: Parser): Parser {
  WORDS.set(parser, words)
  return parser
}

export function wholeNumber(flag: string, min: number, max: number): FlagParser<number> {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value
    throw new CommandError(`${flag} is '${text}'; it must be a whole number from ${min} to ${max}.`)
  }
}

export function number(flag: string, min: number, max: number): FlagParser<number> {
  return (text) => {
    const value = Number(text)
    if (/^\d+(\.\d+)?$/.test(text) && value >= min && value <= max) return value
    throw new CommandError(`${flag} is '${text}'; it must be a number from ${min} to ${max}.`)
  }
}

/** Two numbers, the smaller first, such as `0.5,2`. */
export function numberRange(
  flag: string,
  min: number,
  max: number,
): FlagParser<readonly [from: number, to: number]> {
  return (text) => {
    const rule = `two numbers from ${min} to ${max}, the lesser first, such as 0.5,2`
    const parts = text.split(',')
    const [from, to] = parts.map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN))
    if (
      parts.length === 2 &&
      from !== undefined &&
      to !== undefined &&
      min <= from &&
      from <= to &&
      to <= max
    ) {
      return [from, to]
    }
    throw new CommandError(`${flag} is '${text}'; it must be ${rule}.`)
  }
}

/** One of a few names, such as `none`. */
export function oneOf<Name extends string>(flag: string, names: readonly Name[]): FlagParser<Name> {
  return accepting(names, (text: string) => {
    const known = names.find((name) => name === text)
    if (known !== undefined) return known
    throw new CommandError(`${flag} is '${text}'; it must be ${names.join(' or ')}.`)
  })
}

/** A region's name, such as `eu-central-1`; it need not be one of AWS's. */
export function region(flag: string): FlagParser<string> {
  return (text) => {
    if (/^[a-z0-9-]{1,64}$/.test(text)) return text
    throw new CommandError(
      `${flag} is '${text}'; it must be 1 to 64 lowercase letters, digits or hyphens, such as us-east-1.`,
    )
  }
}

/** One or more of a few names, such as `fixed,dynamic`. */
export function listOf<Name extends string>(
  flag: string,
  names: readonly Name[],
): FlagParser<readonly Name[]> {
  return accepting(names, (text: string) => {
    const chosen = text.split(',')
    const known = names.filter((name) => chosen.includes(name))
    if (known.length === chosen.length) return known
    throw new CommandError(`${flag} is '${text}'; it must be one or more of ${names.join(',')}.`)
  })
}

/** An address such as `http://127.0.0.1:8000`. */
export function httpUrl(flag: string): FlagParser<URL> {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url
    throw new CommandError(`${flag} is '${text}'; it must be a URL such as http://127.0.0.1:8000.`)
  }
}

/**
 * A valid beginning of a table's name:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
 */
export function tablePrefix(flag: string, maxLength: number): FlagParser<string> {
  return (text) => {
    if (/^[\w.-]+$/.test(text) && text.length <= maxLength) return text
    throw new CommandError(
      `${flag} is '${text}'; it must be 1 to ${maxLength} letters, digits, dots, hyphens or underscores.`,
    )
  }
}

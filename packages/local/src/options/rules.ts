import { DURATION_RULE, millisecondsOf } from '@isotherm/runtime'
import { LocalError } from '../errors/local-error.js'
import { nearestName } from './nearest-name.js'

/** What an option may be. */
export interface Rule {
  /** Completes "it must be ...". */
  readonly text: string
  readonly fits: (value: unknown) => boolean
  /** Replaces `text` for a value whose mistake is known. */
  readonly cure?: (value: unknown) => string | undefined
  /** Messages do not show it. */
  readonly isSecret?: boolean
  /** The rules of its members, if it may be an object. */
  readonly members?: { readonly [name: string]: Rule }
  /** The rule of its elements, if it may be a list. Messages then name the one that is wrong. */
  readonly elements?: Rule
}

/** A rule for each option, so that the compiler finds an option without one. */
export type RulesOf<Options> = { readonly [Name in keyof Required<Options>]: Rule }

export const truth: Rule = { text: 'true or false', fits: (value) => typeof value === 'boolean' }

export const text: Rule = {
  text: 'a text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
}

export const callback: Rule = { text: 'a function', fits: (value) => typeof value === 'function' }

/** Above zero, and infinite where there is to be no limit. */
export const positive: Rule = {
  text: 'a number above 0',
  fits: (value) => typeof value === 'number' && value > 0,
}

export const notNegative: Rule = {
  text: 'a number from 0 up',
  fits: (value) => typeof value === 'number' && value >= 0,
}

/** A number of things, infinite where there is to be no limit. */
export const limit: Rule = {
  text: 'a whole number from 0 up',
  fits: (value) => value === Number.POSITIVE_INFINITY || whole(0).fits(value),
}

export function whole(from: number, to = Number.MAX_SAFE_INTEGER): Rule {
  return {
    text:
      to === Number.MAX_SAFE_INTEGER
        ? `a whole number from ${from} up`
        : `a whole number from ${from} to ${to}`,
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to,
  }
}

export const duration: Rule = {
  text: DURATION_RULE,
  fits: (value) => millisecondsOf(value) !== undefined,
}

export function oneOf(...words: readonly unknown[]): Rule {
  return {
    text: words.map((word) => JSON.stringify(word)).join(' or '),
    fits: (value) => words.includes(value),
  }
}

/** An object that has these methods. */
export function having(text: string, ...methods: readonly string[]): Rule {
  return {
    text,
    fits: (value) => methods.every((method) => typeof Object(value)[method] === 'function'),
  }
}

export function listOf(text: string, fits: (element: unknown) => boolean): Rule {
  return { text, fits: (value) => Array.isArray(value) && value.every(fits) }
}

/** A list whose elements have a rule of their own. */
export function elementsOf(text: string, elements: Rule): Rule {
  return { text, fits: Array.isArray, elements }
}

/** An object with some of these members, and no promise of one. */
export function membersOf(members: { readonly [name: string]: Rule }): Rule {
  const fits = (value: unknown) => isObject(value) && typeof value.then !== 'function'
  return { text: `an object with some of ${Object.keys(members).join(', ')}`, fits, members }
}

/** One of the rules. The members of objects are those of the last one. */
export function either(...rules: readonly Rule[]): Rule {
  const { members } = rules.at(-1) ?? {}
  return {
    text: rules.map((rule) => rule.text).join(', or '),
    fits: (value) => rules.some((rule) => rule.fits(value)),
    ...(members === undefined ? {} : { members }),
  }
}

export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Options of another function that people give to this one. */
export interface Elsewhere {
  readonly names: readonly string[]
  /** Completes the sentence about one of them. */
  readonly text: string
}

/**
 * Returns the options without members that are `undefined`, which count as missing.
 *
 * @param name of the function that has them, for messages
 * @throws LocalError `options.invalid` for a value that its rule excludes, `options.unknown` for an option without a rule
 */
export function checked<Options extends object>(
  name: string,
  options: Options,
  rules: { readonly [name: string]: Rule },
  elsewhere?: Elsewhere,
): Options {
  const given: unknown = options
  const misplaced = isObject(given) ? elsewhere?.names.find((other) => given[other] !== undefined) : undefined
  if (misplaced !== undefined) {
    const option = `${name}.${misplaced}`
    throw new LocalError('options.unknown', `${option} ${elsewhere?.text}.`, {
      option,
      known: Object.keys(rules),
    })
  }
  return checkedMembers(name, options, membersOf(rules)) as Options
}

function checkedMembers(name: string, value: unknown, rule: Rule): unknown {
  if (!rule.fits(value)) throw invalidOption(name, value, rule)
  const { members, elements } = rule
  if (elements !== undefined && Array.isArray(value)) {
    return value.map((element, at) => checkedMembers(`${name}[${at}]`, element, elements))
  }
  if (members === undefined || !isObject(value)) return value
  const unknown = Object.keys(value).find(
    (member) => value[member] !== undefined && !Object.hasOwn(members, member),
  )
  if (unknown !== undefined) throw unknownOption(name, unknown, Object.keys(members))
  // Read by their names, because those of a class may be inherited.
  const given = Object.entries(members).filter(([member]) => value[member] !== undefined)
  return Object.fromEntries(
    given.map(([member, rule]) => [member, checkedMembers(`${name}.${member}`, value[member], rule)]),
  )
}

function invalidOption(option: string, value: unknown, { text, cure, isSecret = false }: Rule): LocalError {
  if (isSecret) return new LocalError('options.invalid', `${option} must be ${text}.`, { option })
  const wanted = cure?.(value) ?? text
  return new LocalError('options.invalid', `${option} is ${shown(value)}; it must be ${wanted}.`, { option })
}

function unknownOption(owner: string, name: string, known: readonly string[]): LocalError {
  const option = `${owner}.${name}`
  const meant = nearestName(name, known)
  const guess = meant === undefined ? '' : ` (did you mean ${meant}?)`
  const message = `${option} is not an option of this version${guess}; known are ${known.join(', ')}.`
  return new LocalError('options.unknown', message, { option, known })
}

/** Of an object only its kind, because a part of it may be secret. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return 'a list'
  if (value instanceof URL) return 'a URL'
  if (typeof Object(value).then === 'function') return 'a promise'
  return value === Object(value) ? 'an object' : String(value)
}

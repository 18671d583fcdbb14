import { isJsonObject } from '../json/json-kind.js'
import { invalidValue, missingParameter } from './cloudwatch-error.js'

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * Reads members of a request in any protocol. Numbers and times may be JSON values, or texts of a form. An empty text
 * is an empty list, as in forms.
 */
export class RequestReader {
  readonly #input: { readonly [member: string]: unknown }
  readonly #path: string

  constructor(input: unknown, path = '') {
    if (!isJsonObject(input)) throw invalidValue(`The value of ${path || 'the request'} must be a structure.`)
    this.#input = input
    this.#path = path
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.#missing(name)
  }

  optionalText(name: string): string | undefined {
    const value = this.#get(name)
    if (value === undefined || typeof value === 'string') return value
    throw this.#malformed(name, 'a string')
  }

  requiredOneOf<T extends string>(name: string, values: readonly T[]): T {
    return this.oneOf(name, values) ?? this.#missing(name)
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    const value = this.optionalText(name)
    if (value === undefined) return undefined
    return values.find((each) => each === value) ?? this.#refuse(name, values)
  }

  integer(name: string): number {
    return this.optionalInteger(name) ?? this.#missing(name)
  }

  optionalInteger(name: string): number | undefined {
    const value = this.#get(name)
    if (value === undefined) return undefined
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number)) return number
    throw this.#malformed(name, 'an integer')
  }

  boolean(name: string): boolean | undefined {
    const value = this.#get(name)
    if (value === undefined || typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    throw this.#malformed(name, 'true or false')
  }

  /** In milliseconds since the epoch. */
  time(name: string): number {
    const value = this.#get(name)
    if (value === undefined) return this.#missing(name)
    const isIso = typeof value === 'string' && ISO_TIME.test(value)
    // A time without a zone is UTC, whatever the zone of this machine.
    const zoned = isIso && value.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/.test(value) ? `${value}Z` : value
    const time = typeof value === 'number' ? value * 1000 : isIso ? Date.parse(String(zoned)) : Number.NaN
    if (Number.isFinite(time)) return time
    throw this.#malformed(name, 'a time such as 2026-11-21T12:00:00Z')
  }

  list(name: string): readonly unknown[] {
    const value = this.#get(name)
    if (value === undefined || value === '') return []
    if (Array.isArray(value)) return value
    throw this.#malformed(name, 'a list')
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value) => {
      if (typeof value === 'string') return value
      throw this.#malformed(name, 'a list of strings')
    })
  }

  structures(name: string): readonly RequestReader[] {
    return this.list(name).map(
      (value, index) => new RequestReader(value, `${this.#at(name)}.member.${index + 1}`),
    )
  }

  structure(name: string): RequestReader | undefined {
    const value = this.#get(name)
    return value === undefined ? undefined : new RequestReader(value, this.#at(name))
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#input, name) ? this.#input[name] : undefined
    return value === null ? undefined : value
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  #missing(name: string): never {
    throw missingParameter(this.#at(name))
  }

  #malformed(name: string, what: string) {
    return invalidValue(`The value of the parameter ${this.#at(name)} must be ${what}.`)
  }

  #refuse(name: string, values: readonly string[]): never {
    throw invalidValue(`The value of the parameter ${this.#at(name)} must be one of ${values.join(', ')}.`)
  }
}

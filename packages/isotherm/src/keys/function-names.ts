import { utf8Length } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { ambiguousKey } from './ambiguous-key.js'
import { type LogicalKey, type PhysicalKey, plainKey, type SuffixableKey } from './key.js'
import { hasKeyLength, requireKeyLength } from './key-length.js'
import type { ShardNames, SuffixedKey } from './shard-names.js'

/** A stored key, taken apart by an application's function. */
export interface ParsedKey {
  /** The logical key. */
  readonly key: string
  /** The shard, from 1. */
  readonly shard: number
}

/** How the keys of a table that was sharded by hand are made, when functions of the application make them. */
export interface NameFunctions {
  readonly scheme: string
  readonly shards: number
  readonly format: (key: string, shard: number) => string
  readonly parse: (stored: string) => ParsedKey | undefined
  readonly acceptsLookalikes: boolean
}

/**
 * Names of shards that functions of the application make. Every name is parsed again before it is used: a name that does
 * not lead back to its key would hide its items.
 */
export class FunctionNames implements ShardNames {
  readonly #table: string
  readonly #functions: NameFunctions
  readonly suffixes = undefined

  constructor(table: string, functions: NameFunctions) {
    this.#table = table
    this.#functions = functions
  }

  add(logical: LogicalKey, shard: number): PhysicalKey {
    const key = this.#textOf(logical)
    if (!this.accepts(logical)) throw ambiguousKey(this.#table, logical)
    const stored = this.#format(key, shard)
    const back = this.#parse(stored)
    if (back?.key !== key || back.shard !== shard) {
      const rule = `format returned ${JSON.stringify(stored)} for it and shard ${shard}, and parse returned ${JSON.stringify(back)} for that. parse must return the key and the shard that format was given`
      throw this.#broken(key, back, rule)
    }
    requireKeyLength(this.#table, { S: stored }, 0)
    return { S: stored } as SuffixableKey as PhysicalKey
  }

  strip(physical: SuffixableKey): SuffixedKey | undefined {
    const stored = this.#textOf(physical)
    const parsed = this.#parse(stored)
    if (parsed === undefined || parsed.key === '') return undefined
    // The functions may accept more than they produce, such as `07` beside `7`.
    if (this.#format(parsed.key, parsed.shard) !== stored) return undefined
    return { logical: { S: parsed.key } as SuffixableKey as LogicalKey, shard: parsed.shard }
  }

  accepts(logical: SuffixableKey): boolean {
    if (this.#functions.acceptsLookalikes) return true
    const stripped = this.strip(logical)
    // One of its shards may be the key itself.
    return stripped === undefined || plainKey(stripped.logical) === plainKey(logical as LogicalKey)
  }

  hasRoom(logical: LogicalKey, shard: number): boolean {
    return hasKeyLength({ S: this.#format(this.#textOf(logical), shard) }, 0)
  }

  /** The application's own code writes keys of any length that fits in the shard of their item. */
  requireRoom(): void {}

  #format(key: string, shard: number): string {
    const stored: unknown = this.#call(key, () => this.#functions.format(key, shard))
    if (typeof stored === 'string' && utf8Length(stored) > 0) return stored
    const rule = `format returned ${String(stored)} for it and shard ${shard}; it must return the stored key, a text that is not empty`
    throw this.#broken(key, stored, rule)
  }

  /** A shard outside of the table's is not a shard of this table, for example one from before the count was lowered. */
  #parse(stored: string): ParsedKey | undefined {
    const parsed: unknown = this.#call(stored, () => this.#functions.parse(stored))
    if (parsed === undefined || parsed === null) return undefined
    const { key, shard } = Object(parsed) as Partial<ParsedKey>
    if (typeof key === 'string' && Number.isInteger(shard)) {
      const number = Number(shard)
      return number >= 1 && number <= this.#functions.shards ? { key, shard: number } : undefined
    }
    const rule = `parse returned ${JSON.stringify(parsed)} for it; it must return { key, shard } with the logical key and a whole number, or undefined`
    throw this.#broken(stored, parsed, rule)
  }

  #call(key: string, call: () => unknown): unknown {
    try {
      return call()
    } catch (cause) {
      throw this.#broken(key, undefined, `format or parse threw for it: ${String(cause)}`, cause)
    }
  }

  #textOf(key: SuffixableKey): string {
    if ('S' in key) return key.S
    throw new IsothermError(
      'scheme.names',
      `A key of ${this.#table} is binary; format and parse of handMade "${this.#functions.scheme}" are for text. Use the option delimiter instead of functions.`,
      { scheme: this.#functions.scheme, key: plainKey(key as LogicalKey), value: undefined },
    )
  }

  #broken(key: string, value: unknown, rule: string, cause?: unknown): IsothermError<'scheme.names'> {
    const { scheme } = this.#functions
    return new IsothermError(
      'scheme.names',
      `The key ${JSON.stringify(key)} of ${this.#table} has no usable names in handMade "${scheme}": ${rule}. Correct the functions, and check them with checkHandMade.`,
      { scheme, key, value },
      { cause },
    )
  }
}

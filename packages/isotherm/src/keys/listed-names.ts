import { utf8Length } from '@isotherm/semantics'
import { ambiguousKey } from './ambiguous-key.js'
import type { LogicalKey, PhysicalKey, SuffixableKey } from './key.js'
import { hasKeyLength, requireKeyLength } from './key-length.js'
import type { ShardNames, SuffixedKey, SuffixRange } from './shard-names.js'

/** How the keys of a table that was sharded by hand are made, when each shard adds a constant text. */
export interface NameList {
  /** The text that each shard adds, the first shard first. */
  readonly texts: readonly string[]
  /** Where it is added. */
  readonly position: 'suffix' | 'prefix'
  /** Whether logical keys may look like a shard of another key. */
  readonly acceptsLookalikes: boolean
}

/** The shard of each text, and the distinct lengths of the texts. Bytes are in the form of latin1. */
interface ShardTexts {
  readonly shards: ReadonlyMap<string, number>
  readonly lengths: readonly number[]
}

/** Names of shards that add one of a list of texts to the logical key, behind it or in front of it. */
export class ListedNames implements ShardNames {
  readonly #table: string
  readonly #list: NameList
  readonly #ofText: ShardTexts
  readonly #ofBytes: ShardTexts
  readonly suffixes: SuffixRange | undefined

  constructor(table: string, list: NameList) {
    this.#table = table
    this.#list = list
    this.#ofText = shardTexts(list.texts)
    this.#ofBytes = shardTexts(list.texts.map((text) => latin1(Buffer.from(text))))
    this.suffixes = list.position === 'suffix' ? rangeOf(list.texts) : undefined
  }

  add(logical: LogicalKey, shard: number): PhysicalKey {
    const { texts, position } = this.#list
    const text = texts[shard - 1]
    if (text === undefined)
      throw new RangeError(`${this.#table} has ${texts.length} shards, and no shard ${shard}`)
    if (!this.accepts(logical)) throw ambiguousKey(this.#table, logical)
    requireKeyLength(this.#table, logical, utf8Length(text))
    const [front, end] = position === 'suffix' ? ['', text] : [text, '']
    const physical =
      'S' in logical
        ? { S: front + logical.S + end }
        : { B: Buffer.concat([Buffer.from(front), logical.B, Buffer.from(end)]) }
    return physical as PhysicalKey
  }

  strip(physical: SuffixableKey): SuffixedKey | undefined {
    const isText = 'S' in physical
    const key = isText ? physical.S : latin1(physical.B)
    const { shards, lengths } = isText ? this.#ofText : this.#ofBytes
    for (const length of lengths) {
      const rest = key.length - length
      if (rest < 0) continue
      const isSuffix = this.#list.position === 'suffix'
      const shard = shards.get(isSuffix ? key.slice(rest) : key.slice(0, length))
      if (shard === undefined) continue
      const [from, to] = isSuffix ? [0, rest] : [length, key.length]
      const logical = isText ? { S: physical.S.slice(from, to) } : { B: physical.B.subarray(from, to) }
      return { logical: logical as LogicalKey, shard }
    }
    return undefined
  }

  accepts(logical: SuffixableKey): boolean {
    return this.#list.acceptsLookalikes || this.strip(logical) === undefined
  }

  hasRoom(logical: LogicalKey, shard: number): boolean {
    return hasKeyLength(logical, utf8Length(this.#list.texts[shard - 1] ?? ''))
  }

  /** The application's own code writes keys of any length that fits in the shard of their item. */
  requireRoom(): void {}
}

/**
 * Finds two texts that make a stored key ambiguous: one ends (or begins) with the other, so that the key could be a shard
 * of two logical keys.
 */
export function ambiguousTexts({
  texts,
  position,
}: Pick<NameList, 'texts' | 'position'>): readonly [string, string] | undefined {
  const known = new Set<string>()
  for (const text of texts) {
    if (known.has(text)) return [text, text]
    known.add(text)
  }
  for (const text of texts) {
    for (let length = 0; length < text.length; length++) {
      const part = position === 'suffix' ? text.slice(text.length - length) : text.slice(0, length)
      if (known.has(part)) return [part, text]
    }
  }
  return undefined
}

function shardTexts(texts: readonly string[]): ShardTexts {
  return {
    shards: new Map(texts.map((text, index) => [text, index + 1])),
    lengths: [...new Set(texts.map((text) => text.length))],
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function rangeOf(texts: readonly string[]): SuffixRange | undefined {
  const sorted = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const [first, last] = [sorted[0], sorted.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last, any: first }
}

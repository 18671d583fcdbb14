import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { IsothermError } from '../errors/isotherm-error.js'
import { readItemKey } from '../keys/item-key.js'
import { type LogicalKey, plainKey, type SuffixableKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardNames } from '../keys/shard-names.js'
import type { ShardedTable } from '../options/sharded-table.js'

/**
 * Why the library would not find an item:
 *
 * - `no-name`: its stored key is not the name of any shard.
 * - `other-shard`: it is in another shard than `shardOf` returns.
 * - `refused-key`: requests for its logical key are refused, because it looks like a stored key.
 * - `failed`: the functions threw, or returned something that they must not.
 */
export type MisfitReason = 'no-name' | 'other-shard' | 'refused-key' | 'failed'

/** An item that does not fit a scheme. */
export interface Misfit {
  readonly reason: MisfitReason
  /** The partition key of the item, as it is stored. */
  readonly storedKey: string | Uint8Array
  /** The sort key of the item, in the form of the SDK's low-level commands. */
  readonly sortKey: AttributeValue | undefined
  /** The stored partition key under which the library looks for the item. Only with `other-shard`. */
  readonly expectedKey?: string | Uint8Array
  /** The error. Only with `refused-key` and `failed`. */
  readonly message?: string
}

/** The number of misfits that are listed. */
const MAX_EXAMPLES = 20

/** Counts the items of a table that a scheme finds where they are. */
export class SchemeCensus {
  readonly #table: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>
  readonly #names: ShardNames
  readonly #placeOf: ((key: ReturnType<typeof readItemKey>) => number) | undefined
  readonly #shards = new Set<number>()
  readonly examples: Misfit[] = []
  readonly misfits: Record<MisfitReason, number> = {
    'no-name': 0,
    'other-shard': 0,
    'refused-key': 0,
    failed: 0,
  }
  items = 0
  found = 0

  /** @param placeOf the shard of an item. `undefined` if every shard is searched for it */
  constructor(
    table: Pick<ShardedTable, 'name' | 'partitionKey' | 'sortKey'>,
    names: ShardNames,
    placeOf: ((key: ReturnType<typeof readItemKey>) => number) | undefined,
  ) {
    this.#table = table
    this.#names = names
    this.#placeOf = placeOf
  }

  /** The number of shards in which items were found. */
  get shards(): number {
    return this.#shards.size
  }

  add(item: Readonly<Record<string, AttributeValue>>): void {
    this.items += 1
    const { name, partitionKey, sortKey } = this.#table
    const stored = readKey(name, partitionKey, item[partitionKey])
    const misfit = this.#misfitOf(stored, item)
    if (misfit === undefined) {
      this.found += 1
      return
    }
    this.misfits[misfit.reason] += 1
    if (this.examples.length >= MAX_EXAMPLES) return
    const storedKey = plainKey(stored as LogicalKey)
    this.examples.push({ ...misfit, storedKey, sortKey: sortKey === undefined ? undefined : item[sortKey] })
  }

  #misfitOf(
    stored: SuffixableKey,
    item: Readonly<Record<string, AttributeValue>>,
  ): Omit<Misfit, 'storedKey' | 'sortKey'> | undefined {
    try {
      const stripped = this.#names.strip(stored)
      if (stripped === undefined) return { reason: 'no-name' }
      const { logical, shard } = stripped
      this.#shards.add(shard)
      const key = readItemKey(this.#table, {
        ...item,
        [this.#table.partitionKey]: { ...logical } as AttributeValue,
      })
      const expected = this.#names.add(logical, this.#placeOf?.(key) ?? shard)
      const [here, there] = [stored, expected].map((value) => plainKey(value as SuffixableKey as LogicalKey))
      if (here === undefined || there === undefined) return undefined
      const isHere = Buffer.from(here).equals(Buffer.from(there))
      return isHere ? undefined : { reason: 'other-shard', expectedKey: there }
    } catch (error) {
      // A scheme may come from another copy of the library, so its errors are of another class.
      const { name, code, message } = Object(error) as Partial<IsothermError>
      if (name !== 'IsothermError' || message === undefined) throw error
      return { reason: code === 'key.ambiguous' ? 'refused-key' : 'failed', message }
    }
  }
}

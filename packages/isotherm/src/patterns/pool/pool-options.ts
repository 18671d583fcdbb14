import { invalidOption, requireInteger, requireText } from '../../options/check.js'
import { type ParsedPatternOptions, type PatternOptions, parsePatternOptions } from '../pattern-options.js'
import { sharedName } from '../shared-name.js'

/** Options of `pool`. */
export interface PoolOptions extends PatternOptions {
  /** The name of the pool, so that a table can have several. The default is `'pool'`. */
  readonly name?: string | undefined
  /** The name of the sparse index. The default is `'unused'`. */
  readonly index?: string | undefined
  /** The index's partition key attribute, text, which only unused items have. The default is `'unused'`. */
  readonly indexKey?: string | undefined
  /** The index's sort key attribute, a number: a random place of the item among the unused ones. The default is `'place'`. */
  readonly place?: string | undefined
  /**
   * The number of keys that unused items are spread over in the index, 1 to 200. An index partition takes 1,000 write units a
   * second, and adding an item takes one. Every process must have the same number. The default is 16.
   */
  readonly shards?: number | undefined
}

/** The same, checked. */
export interface ParsedPoolOptions extends ParsedPatternOptions {
  readonly name: string
  readonly index: string
  readonly indexKey: string
  readonly place: string
  readonly shards: number
}

/** The attributes that claims write. */
export const ATTRIBUTES_OF_A_CLAIM = ['claim', 'claimed_at', 'used_at', 'last_claim'] as const

const OWN = ['name', 'index', 'indexKey', 'place', 'shards'] as const

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parsePoolOptions(options: PoolOptions): ParsedPoolOptions {
  const common = parsePatternOptions('pool', options, OWN)
  const attribute = (option: 'indexKey' | 'place', otherwise: string) =>
    requireText(`pool.${option}`, options[option] ?? otherwise, 'the name of an attribute')
  const indexKey = attribute('indexKey', 'unused')
  const place = attribute('place', 'place')
  requireDistinct({ partitionKey: common.partitionKey, sortKey: common.sortKey, indexKey, place })
  return {
    ...common,
    name: requireText('pool.name', options.name ?? 'pool', 'a name, as text'),
    index: requireText('pool.index', options.index ?? 'unused', 'the name of an index'),
    indexKey,
    place,
    shards: requireInteger('pool.shards', options.shards ?? 16, 1, 200),
  }
}

function requireDistinct(names: Readonly<Record<string, string | undefined>>): void {
  const shared = sharedName(names, ATTRIBUTES_OF_A_CLAIM)
  if (shared === undefined) return
  const rule = 'another name: the pool has an attribute of this name'
  throw invalidOption(`pool.${shared.option}`, shared.name, rule)
}

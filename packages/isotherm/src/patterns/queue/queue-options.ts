import { invalidOption, requireInteger, requireText } from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import { refuseHalfPairs } from '../half-pairs.js'
import { type ParsedPatternOptions, type PatternOptions, parsePatternOptions } from '../pattern-options.js'
import { sharedName } from '../shared-name.js'
import { OWN_ATTRIBUTES } from './queue-items.js'

/** Options of `queue`. */
export interface QueueOptions extends PatternOptions {
  /** The name of the queue, so that a table can have several. It begins the keys of its items. The default is `'queue'`. */
  readonly name?: string | undefined
  /** The name of the sparse index. The default is `'pending'`. */
  readonly index?: string | undefined
  /** The index's partition key attribute, text, which only pending operations have. The default is `'pending'`. */
  readonly indexKey?: string | undefined
  /** The index's sort key attribute, a number: when an operation may be claimed. The default is `'due'`. */
  readonly due?: string | undefined
  /** The number of keys that pending operations are spread over in the index, 1 to 200. It must be the same in every process. The default is 8. */
  readonly shards?: number | undefined
  /** How long an operation belongs to a worker that is not heard of. Workers extend it three times as often. The default is `'30s'`. */
  readonly lease?: Duration | undefined
  /** How often an operation is begun, 1 to 1,000. Then it becomes a dead letter. The default is 5. */
  readonly maxAttempts?: number | undefined
  /** The wait after the first failure. It doubles with each further one. The default is `'1s'`. */
  readonly retryDelay?: Duration | undefined
  /** The longest wait between two attempts. The default is `'5m'`. */
  readonly maxRetryDelay?: Duration | undefined
  /** How long a completed operation is kept, and its key refuses others. The default is `'168h'`. */
  readonly doneTtl?: Duration | undefined
  /**
   * The attribute with the time at which a completed operation may be deleted, in seconds since the Unix epoch. Enable time to live
   * for it. The default is `'expires_at'`.
   */
  readonly ttlAttribute?: string | undefined
}

/** The same, checked. */
export interface ParsedQueueOptions extends ParsedPatternOptions {
  readonly name: string
  readonly index: string
  readonly indexKey: string
  readonly due: string
  readonly shards: number
  readonly leaseMilliseconds: number
  readonly maxAttempts: number
  readonly retryMilliseconds: number
  readonly maxRetryMilliseconds: number
  readonly doneMilliseconds: number
  readonly ttlAttribute: string
}

const OWN = [
  'name',
  'index',
  'indexKey',
  'due',
  'shards',
  'lease',
  'maxAttempts',
  'retryDelay',
  'maxRetryDelay',
  'doneTtl',
  'ttlAttribute',
] as const

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parseQueueOptions(options: QueueOptions): ParsedQueueOptions {
  const common = parsePatternOptions('queue', options, OWN)
  const text = (option: (typeof OWN)[number], otherwise: string, rule = 'the name of an attribute') =>
    requireText(`queue.${option}`, options[option] ?? otherwise, rule)
  const duration = (option: (typeof OWN)[number], otherwise: string) =>
    parseDuration(`queue.${option}`, options[option] ?? otherwise)
  const name = text('name', 'queue', 'a name, as text')
  if (name.includes('#')) throw invalidOption('queue.name', name, 'text without #, which ends it in keys')
  refuseHalfPairs('queue.name', name)
  const parsed = {
    ...common,
    name,
    index: text('index', 'pending', 'the name of an index'),
    indexKey: text('indexKey', 'pending'),
    due: text('due', 'due'),
    shards: requireInteger('queue.shards', options.shards ?? 8, 1, 200),
    leaseMilliseconds: duration('lease', '30s'),
    maxAttempts: requireInteger('queue.maxAttempts', options.maxAttempts ?? 5, 1, 1_000),
    retryMilliseconds: duration('retryDelay', '1s'),
    maxRetryMilliseconds: duration('maxRetryDelay', '5m'),
    doneMilliseconds: duration('doneTtl', '168h'),
    ttlAttribute: text('ttlAttribute', 'expires_at'),
  }
  refuseSharedAttributes(parsed)
  return parsed
}

const NAMES_OF_ATTRIBUTES = ['partitionKey', 'sortKey', 'indexKey', 'due', 'ttlAttribute'] as const

/** An attribute with two meanings would lose operations: two with an equal payload would be one. */
function refuseSharedAttributes(options: ParsedQueueOptions): void {
  const names = Object.fromEntries(NAMES_OF_ATTRIBUTES.map((option) => [option, options[option]]))
  const shared = sharedName(names, OWN_ATTRIBUTES)
  if (shared === undefined) return
  const user = shared.user === undefined ? 'the queue itself' : `queue.${shared.user}`
  const rule = `the name of another attribute; ${user} uses this one`
  throw invalidOption(`queue.${shared.option}`, shared.name, rule)
}

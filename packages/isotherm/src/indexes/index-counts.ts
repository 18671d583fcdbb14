import type { Random } from '@isotherm/runtime'
import type { KeyValue } from '@isotherm/semantics'
import type { Emit, IsothermEvent } from '../events/event.js'
import { type LogicalKey, plainKey, type SuffixableKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import type { ShardView } from '../protocol/index.js'
import type { KeyCounts, ScaledTable } from '../scaling/key-counts.js'
import { KeyHeat } from '../scaling/sensing/key-heat.js'
import { type TableHeat, tableHeat } from '../scaling/sensing/table-heat.js'
import type { DynamicShards } from '../scaling/shards.js'
import { plainIndexKey, shardMapKeyOf } from './index-key.js'
import { IndexKeyShards } from './index-key-shards.js'
import { indexMapClient } from './index-map-client.js'
import type { KnownIndex, ShardedIndex } from './index-options.js'

/** A table with indexes whose counts change. */
export interface CountsOpening {
  readonly table: ScaledTable
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
}

/** The counts of a table's dynamic indexes, by the attribute that holds the shard. */
export type TableIndexCounts = ReadonlyMap<string, IndexCounts>

/** Opens the counts of all indexes of a table with `dynamicShards`. */
export function openIndexCounts(
  indexes: ReadonlyMap<string, KnownIndex>,
  opening: CountsOpening,
): TableIndexCounts {
  const counts = new Map<string, IndexCounts>()
  for (const index of indexes.values()) {
    if (index.kind !== 'sharded' || index.shards.kind !== 'dynamic') continue
    const { attribute } = index.shard
    const known = counts.get(attribute)
    if (known === undefined) counts.set(attribute, new IndexCounts(index, index.shards, opening))
    else known.names.push(index.name)
  }
  return counts
}

/**
 * The shard counts of an index's key values, and their heat. They are kept in the table's shard map, like those of a
 * table's keys with a random suffix: writers choose any shard below the count, and readers ask every shard that was
 * ever in use. A count grows when a partition of the index throttles the table's writes. It never falls automatically,
 * because items in retired shards stay there until they are written again.
 */
export class IndexCounts {
  /** The names of the indexes with this attribute. Events have the first one. */
  readonly names: string[]
  readonly random: Random
  readonly #attribute: string
  readonly #table: ScaledTable
  readonly #heat: KeyHeat
  readonly #counts: KeyCounts

  constructor({ name, shard }: ShardedIndex, shards: DynamicShards, opening: CountsOpening) {
    const { table, destroyed } = opening
    const { clock, emit, options } = table
    this.names = [name]
    this.random = table.random
    this.#attribute = shard.attribute
    this.#heat = new KeyHeat(clock)
    this.#table = {
      ...table,
      client: indexMapClient(table.client, options),
      suffix: new Suffix(options.name, options.delimiter, false),
      placementKind: 'random',
      emit: (event) => emit(indexEvent(name, event)),
    }
    this.#counts = { ...shards, quietMilliseconds: undefined }.open({
      table: this.#table,
      hasCard: false,
      heat: this.#heat,
      readHeat: () => undefined,
      signal: destroyed,
      // It would move items of the table.
      openRebalancer: undefined,
      // Without a card, nothing tells the counts of another account or region from these.
      openSharedStates: undefined,
      onFailed: (task, error) => emit({ type: 'failed', table: options.name, task, error, at: clock.now() }),
    })
  }

  /** The name of the table. */
  get table(): string {
    return this.#table.options.name
  }

  /** The key of a value in the shard map. @throws IsothermError `key.too-long` */
  keyOf(value: KeyValue): LogicalKey {
    return shardMapKeyOf(this.table, this.#attribute, value)
  }

  /** Returns the view for a write. Adds an unknown value to the shard map first. */
  forWrite(key: LogicalKey): ShardView | Promise<ShardView> {
    return this.#counts.views.forWrite(key)
  }

  /** Returns the view for a query, which reads its `readable` shards. It does not expire, because no item is moved. */
  forRead(key: LogicalKey, atLeast = 1): ShardView | Promise<ShardView> {
    const view = this.#counts.views.forRead(key, { consistent: false, atLeast })
    return view instanceof Promise ? view.then(withoutEnd) : withoutEnd(view)
  }

  /** Returns the view by what the shard map says now. */
  viewNow(key: LogicalKey): Promise<ShardView> {
    return this.#counts.views.viewNow(key)
  }

  offered(key: LogicalKey, units: number): void {
    this.#heat.offered(key, units)
  }

  accepted(key: LogicalKey, units: number): void {
    this.#heat.accepted(key, units)
  }

  /** Records writes that a full partition of the index has throttled, and grows the count if they prove enough. */
  throttled(key: LogicalKey, units: number, isFirstAttempt: boolean): void {
    if (isFirstAttempt) this.#heat.throttled(key, units)
    const attempt = isFirstAttempt ? 1 : 2
    this.#counts.throttled(key, { scope: 'partition', units, attempt, item: undefined })
  }

  /** Emits the event of a throttled attempt. */
  tell(
    key: LogicalKey,
    throttle: { readonly shard: number; readonly attempt: number; readonly reasons: readonly string[] },
  ): void {
    const { options, clock, emit } = this.#table
    emit({
      type: 'throttled',
      table: options.name,
      logicalKey: plainKey(key),
      scope: 'index',
      access: 'write',
      ...throttle,
      at: clock.now(),
    })
  }

  /** The `top` hottest key values. */
  hottest(top: number): TableHeat {
    const { options, clock } = this.#table
    const shardsOf = (key: LogicalKey) => this.#counts.views.known(key)
    const heat = tableHeat(
      { table: options.name, heat: this.#heat, reads: undefined, shardsOf, at: clock.now() },
      top,
    )
    const keys = heat.keys.map((key) => ({ ...key, logicalKey: shownKey(key.logicalKey) }))
    return { ...heat, index: this.names[0], keys }
  }

  byHand(value: KeyValue): IndexKeyShards {
    return new IndexKeyShards(this.#table, this.#counts.views, this.keyOf(value), this.names[0] ?? '')
  }
}

function withoutEnd(view: ShardView): ShardView {
  // mark: index-query-asks-retired-shards
  return { ...view, validUntil: Number.POSITIVE_INFINITY }
}

/** The event of a value of an index, from the event of its key in the shard map. */
function indexEvent(index: string, event: IsothermEvent): IsothermEvent {
  if (!('logicalKey' in event)) return event
  const cure = event.type === 'table-full' ? { cure: INDEX_FULL_CURE } : {}
  return { ...event, ...cure, index, logicalKey: shownKey(event.logicalKey) } as Parameters<Emit>[0]
}

const INDEX_FULL_CURE =
  "More shards did not help: the index's partitions are full. Raise the warm throughput or the provisioned capacity of the index."

/** The value, from its key in the shard map, which is always text. */
function shownKey(key: string | Uint8Array): string | Uint8Array {
  return plainIndexKey({ S: String(key) } as SuffixableKey as LogicalKey)
}

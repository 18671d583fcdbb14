import type { HeatEvent, ScaledEvent } from '../api/heat-map.js'
import { countChanges } from '../shard-map/count-changes.js'
import { suffixRuleOf } from '../shard-map/table-card.js'
import type { ConsoleSource, ShardHistory, StoredShardMap } from '../source/console-source.js'
import { sameChange } from './same-change.js'

const SECOND = 1_000

interface Known {
  /** When the shard map was read, on the clock of the figures. */
  readonly readAt: number
  readonly map: StoredShardMap
}

/**
 * The shard maps of tables. A shard map is read again only after it was written, because each reading costs it capacity.
 *
 * The changes of any process are in the histories of its keys, also those of before the console was started.
 */
export class ShardMaps {
  readonly #source: ConsoleSource
  readonly #known = new Map<string, Known>()

  constructor(source: ConsoleSource) {
    this.#source = source
  }

  /**
   * @returns `undefined` if the table has none
   * @throws if it cannot be read and was not read before. One that is throttled, or deleted meanwhile, is known as it was.
   */
  async read(region: string, table: string): Promise<StoredShardMap | undefined> {
    const found = (await this.#source.tables()).find((each) => each.region === region && each.name === table)
    if (found?.shardMap === undefined) return undefined
    const place = placeOf(region, table)
    const known = this.#known.get(place)
    const now = this.#source.now()
    try {
      if (known !== undefined && !(await this.#isWritten(region, found.shardMap, known.readAt, now)))
        return known.map
      const map = await this.#source.shardMap(region, table)
      this.#known.set(place, { readAt: now, map })
      return map
    } catch (error) {
      // The next look tries again.
      if (known !== undefined) return known.map
      throw error
    }
  }

  /** The changes of counts, as events. A shard map that cannot be read must not take the heat map away. */
  async changes(region: string, table: string): Promise<readonly ScaledEvent[]> {
    const map = await this.read(region, table).catch(() => undefined)
    return map?.keys.flatMap((history) => changesOf(table, history)) ?? []
  }

  /** The delimiter of the keys of a table, if its shard map was read and says it. */
  delimiterOf(region: string, table: string): string | undefined {
    const card = this.#known.get(placeOf(region, table))?.map.card
    return card === undefined ? undefined : suffixRuleOf(card).delimiter
  }

  /** A second is in the figures when it is over, so the one of the reading is looked at again. */
  async #isWritten(region: string, shardMap: string, since: number, now: number): Promise<boolean> {
    const from = Math.floor(since / SECOND) * SECOND
    if (now <= from) return false
    const { columns } = await this.#source.heat(
      { region, table: shardMap, index: undefined },
      { from, to: now, columns: 1 },
    )
    return columns.some(({ frame }) => [...frame.partitions].some(([, { writeUnits }]) => writeUnits > 0))
  }
}

function placeOf(region: string, table: string): string {
  return `${region}/${table}`
}

function changesOf(table: string, history: ShardHistory): readonly ScaledEvent[] {
  const { key, reasons } = history
  return countChanges(history, reasons).map(
    (change): ScaledEvent => ({ type: 'scaled', table, key, reason: 'shard map', ...change }),
  )
}

/** Events of both kinds, in order. What a process reports itself stands for the entry in the history. */
export function joinedEvents(
  reported: readonly HeatEvent[],
  stored: readonly ScaledEvent[],
): readonly HeatEvent[] {
  const added: ScaledEvent[] = []
  const joined = [...reported]
  for (const event of stored) {
    const at = joined.findIndex((other) => sameChange(other, event))
    const known = joined[at]
    // The process knows who it is, and the shard map has the rates.
    if (known === undefined) added.push(event)
    else joined[at] = { ...event, ...known } as HeatEvent
  }
  return [...joined, ...added].sort((a, b) => a.at - b.at)
}

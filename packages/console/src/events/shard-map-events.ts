import type { HeatEvent } from '../api/heat-map.js'
import type { ConsoleSource, ShardHistory } from '../source/console-source.js'

const SECOND = 1_000

interface Known {
  /** When the shard map was read, on the clock of the figures. */
  readonly readAt: number
  readonly events: readonly HeatEvent[]
}

/**
 * Changes of shard counts, from the histories in shard maps. So the changes of any process appear, also those of before
 * the console was started.
 *
 * A shard map is read again only after it was written, because each reading costs it capacity.
 */
export class ShardMapEvents {
  readonly #source: ConsoleSource
  readonly #known = new Map<string, Known>()

  constructor(source: ConsoleSource) {
    this.#source = source
  }

  async of(region: string, table: string): Promise<readonly HeatEvent[]> {
    const found = (await this.#source.tables()).find((each) => each.region === region && each.name === table)
    if (found?.shardMap === undefined) return []
    const place = `${region}/${table}`
    const known = this.#known.get(place)
    const now = this.#source.now()
    if (known !== undefined && !(await this.#isWritten(region, found.shardMap, known.readAt, now)))
      return known.events
    const events = await this.#read(region, table)
    if (events === undefined) return known?.events ?? []
    this.#known.set(place, { readAt: now, events })
    return events
  }

  /** A shard map that is throttled, or deleted meanwhile, must not take the map away. The next look tries again. */
  async #read(region: string, table: string): Promise<readonly HeatEvent[] | undefined> {
    try {
      const histories = await this.#source.shardHistories(region, table)
      return histories.flatMap((history) => changesOf(table, history))
    } catch {
      return undefined
    }
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

function changesOf(table: string, { key, counts }: ShardHistory): readonly HeatEvent[] {
  return counts.flatMap(({ at, count }, index) => {
    const before = counts[index - 1]?.count
    if (before === undefined || before === count) return []
    return [{ type: 'scaled', at, table, key, from: before, to: count, reason: 'shard map' } as const]
  })
}

/** A history has whole seconds, and a process that emits an event is not at the time of its write. */
const SAME_MILLISECONDS = 5_000

/** Events of both kinds, in order. What a process reports itself has the reason, so it stands for the entry in the history. */
export function joinedEvents(
  reported: readonly HeatEvent[],
  stored: readonly HeatEvent[],
): readonly HeatEvent[] {
  const isReported = (event: HeatEvent) =>
    reported.some(
      (other) =>
        other.type === 'scaled' &&
        event.type === 'scaled' &&
        other.key === event.key &&
        other.to === event.to &&
        Math.abs(other.at - event.at) <= SAME_MILLISECONDS,
    )
  return [...reported, ...stored.filter((event) => !isReported(event))].sort((a, b) => a.at - b.at)
}

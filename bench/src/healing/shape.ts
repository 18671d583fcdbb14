/** How a table is paid for. */
export type ShapeTable =
  /** `readUnits`: as many as `writeUnits` if missing. */
  | { readonly billing: 'provisioned'; readonly writeUnits: number; readonly readUnits?: number }
  /** `warmUnits`: the write units a second that the table is prepared for; a new table's if it is missing. */
  | { readonly billing: 'on-demand'; readonly warmUnits?: number }

/** Writes that arrive at their own rate, whether or not earlier writes have been answered. */
export interface OpenLoad {
  readonly kind: 'open'
  /** Processes that share the load evenly. */
  readonly writers: number
  /** Write units a second from a second of the run on. The first entry is at second 0. */
  readonly rate: readonly { readonly fromSecond: number; readonly unitsPerSecond: number }[]
}

/** Processes that wait for each answer. A late answer delays the next write. */
interface ClosedLoad {
  readonly kind: 'closed'
  readonly writers: number
  /** Time between the beginnings of two writes of one process, unless the first one takes longer. */
  readonly everyMilliseconds: number
}

/** What a shape has to reach. */
export interface HealingTarget {
  /** The latest second from which on less than 1 % of first attempts are throttled. */
  readonly healedSeconds?: number
  /** The latest second in which a write failed after its last attempt. */
  readonly lastFailureSeconds?: number
  readonly maxShards?: number
  /** Units of writes that failed after their last attempt. */
  readonly maxLostUnits?: number
  /**
   * Writes a second to the shard map, on average: each takes a unit. Its reads are those of the processes that use the key, at
   * least one in each `cacheTtl`, and no rule of growth makes them fewer.
   */
  readonly maxShardMapWrites?: number
  /** Whether every process whose requests are throttled has to emit events of them. */
  readonly isSensed?: boolean
  /** An event that has to be emitted, because shards alone do not cure this load. */
  readonly emits?: string
  /** Write units of moving items between shards, as a share of the units that the application wrote. */
  readonly maxMovedShare?: number
}

/** One kind of heat on one logical key, or on a few, as data. Add your own to `shapes.ts`. */
export interface Shape {
  readonly name: string
  readonly title: string
  readonly suffix: 'random' | 'calculated'
  /**
   * `put`: an item as a whole. `update`: one attribute, of an item that is created by the first update. `get`: a consistent read of an
   * item; all units of the shape are read units. `batch`, `transaction`: puts of `members` items in one request.
   */
  readonly write: 'put' | 'update' | 'get' | 'batch' | 'transaction'
  /** The items of one batch or transaction; 1 if missing. */
  readonly members?: number
  readonly table: ShapeTable
  readonly itemBytes: number
  /** `unique`: each write creates an item. A number: each write is to one of so many items. */
  readonly items: 'unique' | number
  /** The logical keys that share the load evenly; 1 if missing. */
  readonly keys?: number
  /** Whether the service gives no reasons for throttles, as older services and other engines. */
  readonly isWithoutReasons?: boolean
  /** Items that the key has under its bare name before the first write. The key is then adopted. */
  readonly adopted?: number
  /** How far ahead the calendar of the first process is, in milliseconds; 0 if missing. */
  readonly calendarAhead?: number
  readonly load: OpenLoad | ClosedLoad
  /** Time between two queries of the newest ten items, by one process. */
  readonly queryEveryMilliseconds?: number
  readonly seconds: number
  readonly target: HealingTarget
}

/** Units of one write or read. A transaction takes two for each. */
export function unitsOf({ itemBytes, write }: Pick<Shape, 'itemBytes' | 'write'>): number {
  return Math.ceil(itemBytes / (write === 'get' ? 4_096 : 1_024)) * (write === 'transaction' ? 2 : 1)
}

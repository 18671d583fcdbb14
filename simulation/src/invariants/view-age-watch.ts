import type { Attempt } from '../world/journey.js'
import { type Attributes, contentOf, takenApart } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { ShardMapWatch } from './shard-map-watch.js'

export interface ViewAgeOptions {
  /** How old what a process knows of a key may be when it sends a write, by the clock of the world. */
  readonly cacheMilliseconds: number
  /** Whether items stay where they were put. Else a write may go to where its item was found. */
  readonly isAppended: boolean
  readonly now: () => number
}

type Put = Readonly<Record<string, unknown>>

/** A copy of a moved item: its move has a name, and may be finished at any time. */
const MOVED = 'isotherm_moved'

/**
 * Looks at each put at the moment when it is sent: it goes to a shard that the shard map said to be one at some time in the last lifetime
 * of a cache. A change waits for that lifetime and for late requests, and for nothing else.
 */
export class ViewAgeWatch {
  readonly #table: WorkloadTable
  readonly #shardMap: ShardMapWatch
  readonly #options: ViewAgeOptions

  constructor(table: WorkloadTable, shardMap: ShardMapWatch, options: ViewAgeOptions) {
    this.#table = table
    this.#shardMap = shardMap
    this.#options = options
  }

  /** @throws Violation */
  readonly sent = ({ process, operation, input }: Attempt): void => {
    const { cacheMilliseconds, isAppended, now } = this.#options
    const { name, partitionKey, sharded } = this.#table
    for (const item of putsOf(operation, input as Put, name)) {
      if (item[MOVED] !== undefined) continue
      const { logicalKey, shard } = takenApart(contentOf(item[partitionKey]), sharded.adopt === true)
      const { shards, readable } = this.#shardMap.mostSince(logicalKey, now() - cacheMilliseconds)
      const most = isAppended ? shards : readable
      if (shard <= most) continue
      const seen = `${process.name} puts an item of ${logicalKey} into shard ${shard}; since a cache's lifetime there were ${most}`
      throw new Violation('a write uses a view that is still valid', seen, [logicalKey])
    }
  }
}

function putsOf(operation: string, input: Put, table: string): readonly Attributes[] {
  if (operation === 'PutItem') return input.TableName === table ? [input.Item as Attributes] : []
  if (operation === 'BatchWriteItem') {
    const members = (input.RequestItems as Readonly<Record<string, readonly { PutRequest?: Put }[]>>)[table]
    return (members ?? []).flatMap(({ PutRequest }) =>
      PutRequest === undefined ? [] : [PutRequest.Item as Attributes],
    )
  }
  if (operation !== 'TransactWriteItems') return []
  const members = input.TransactItems as readonly { readonly Put?: Put }[]
  return members.flatMap(({ Put }) => (Put?.TableName === table ? [Put.Item as Attributes] : []))
}

import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { writeConcurrently } from '../../../bounded/write-concurrently.js'
import type { StoredItem } from '../../read-items.js'
import { send } from '../../send.js'
import { untilTaken } from '../../until-taken.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { type CheckCounts, GroupCheck } from './group-check.js'

/** How far a check has come. */
export interface CheckProgress extends CheckCounts {
  /** Items of the table that were read, search items included. */
  readonly scanned: number
  /** Resumes the check behind what was compared. `undefined` when everything was. */
  readonly startKey: StoredItem | undefined
}

/** What a check does. */
export interface ItemCheck {
  /** `undefined` for all. */
  readonly tenant: string | undefined
  readonly repair: boolean
  readonly startKey: StoredItem | undefined
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: CheckProgress) => void
}

const COMPARED_AT_A_TIME = 8

/**
 * Compares search items with their items, in one scan of the table. A scan returns all that has one partition key together, unless the table is
 * sharded or a page ends between. So nothing else has to be read unless there is a difference.
 */
export async function checkItems(target: DirectoryTarget, check: ItemCheck): Promise<CheckProgress> {
  const { definition } = target
  const groups = new GroupCheck(target, check.repair)
  let scanned = 0
  let from = check.startKey
  for (let isLast = false; !isLast; ) {
    if (check.signal?.aborted) break
    const { Items = [], LastEvaluatedKey } = await scanPage(target, from, check.signal)
    scanned += Items.length
    // The service's own key. In a sharded table it is none of an item that the scan returns.
    from = LastEvaluatedKey
    isLast = from === undefined
    const ours = byId(definition.names.id, Items).filter(
      ([item]) =>
        check.tenant === undefined || item?.[definition.names.id]?.S?.startsWith(`${check.tenant}#`),
    )
    await writeConcurrently(ours, COMPARED_AT_A_TIME, (group) => groups.compare(group))
    check.onProgress({ ...groups.counts, scanned, startKey: from })
  }
  return { ...groups.counts, scanned, startKey: from }
}

function scanPage(
  { db, definition, patience }: DirectoryTarget,
  ExclusiveStartKey: StoredItem | undefined,
  signal: AbortSignal | undefined,
): Promise<ScanCommandOutput> {
  const input = {
    TableName: definition.table,
    ConsistentRead: true,
    ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
  }
  return untilTaken({ ...patience, signal }, () =>
    send<ScanCommandOutput>(db, new ScanCommand(input), signal),
  )
}

function byId(id: string, items: readonly StoredItem[]): StoredItem[][] {
  const groups: StoredItem[][] = []
  for (const item of items) {
    const group = groups.at(-1)
    if (group?.[0]?.[id]?.S === item[id]?.S) group?.push(item)
    else groups.push([item])
  }
  return groups
}

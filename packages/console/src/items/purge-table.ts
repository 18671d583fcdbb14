import type { Call, JsonItem, KeyDescription } from './item.js'
import type { ItemAnswer } from './item-pages.js'
import { patientCall, restMilliseconds, type Sleep } from './patient-call.js'

/** What BatchWriteItem takes. */
const BATCH = 25
/** Batches without a single deletion, before the table is too busy. */
const MAX_VAIN = 20

/** The dependencies of long work. */
export interface LongWork {
  readonly sleep: Sleep
  readonly signal: AbortSignal
  /** Called with the number of items so far. */
  readonly onProgress: (items: number) => void
}

interface BatchAnswer {
  readonly UnprocessedItems?: Readonly<Record<string, readonly DeleteRequest[]>>
}

interface DeleteRequest {
  readonly DeleteRequest: { readonly Key: JsonItem }
}

/**
 * Deletes all items of a table: those that a scan finds. The table with its settings stays.
 * @returns how many it deleted
 */
export async function purgeTable(
  call: Call,
  { TableName, KeySchema }: KeyDescription,
  { sleep, signal, onProgress }: LongWork,
): Promise<number> {
  const patient = patientCall(call, sleep, signal)
  const names = KeySchema.map(({ AttributeName }, at) => [`#${at}`, AttributeName] as const)
  let deleted = 0
  let from: JsonItem | undefined
  do {
    const answer: ItemAnswer = await patient('Scan', {
      TableName,
      ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names),
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    })
    const keys = answer.Items ?? []
    for (let at = 0; at < keys.length; at += BATCH) {
      let requests = keys.slice(at, at + BATCH).map((Key): DeleteRequest => ({ DeleteRequest: { Key } }))
      for (let vain = 0; requests.length > 0; ) {
        const { UnprocessedItems = {} } = await patient<BatchAnswer>('BatchWriteItem', {
          RequestItems: { [TableName]: requests },
        })
        const left = UnprocessedItems[TableName] ?? []
        deleted += requests.length - left.length
        vain = left.length === requests.length ? vain + 1 : 0
        requests = [...left]
        onProgress(deleted)
        if (vain >= MAX_VAIN) throw new Error(`${TableName} is throttled. Purge it while it is less busy.`)
        if (left.length > 0) await sleep(restMilliseconds(vain), signal)
      }
    }
    from = answer.LastEvaluatedKey
  } while (from !== undefined)
  return deleted
}

import {
  type AttributeValue,
  QueryCommand,
  type QueryCommandOutput,
  UpdateItemCommand,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import { requestToken } from '../../attempts/request-token.js'
import { indexShard, shardsFromAnywhere, shuffled } from '../index-shards.js'
import { readItem, type StoredItem } from '../read-items.js'
import { itemThatRefused, refusalOf } from '../refusal.js'
import { send } from '../send.js'
import { untilKnown } from '../until-known.js'
import { untilTaken } from '../until-taken.js'
import type { PlainItem } from '../values/plain-item.js'
import { toPlainItem } from '../values/to-plain-value.js'
import { claimNameAt, drawnPlace, keyOf, ownAttributes, type PoolTarget } from './pool-items.js'

/** An item that belongs to the caller until it is released. */
export interface Claim {
  readonly id: string
  /** Names this claim of the item, and no other. */
  readonly claim: string
  /** The attributes that the item was added with. */
  readonly attributes: PlainItem
}

/** An unused item, as the index has it. */
interface Candidate {
  readonly id: string
  readonly place: AttributeValue
}

/** More candidates than wanted, because others take some of them meanwhile. */
const SPARE_CANDIDATES = 4
const MAX_PAGE = 100

/** @returns up to `count` claims; fewer if the pool has no more */
export async function claimFromPool(target: PoolTarget, count: number): Promise<readonly Claim[]> {
  const { random, shards } = target.options
  const claims: Claim[] = []
  for (const shard of shardsFromAnywhere(random, shards)) {
    if (claims.length >= count) break
    try {
      await claimInShard(target, shard, count, claims)
    } catch (error) {
      // What is claimed belongs to the caller, who would not hear of it.
      if (claims.length === 0) throw error
      break
    }
  }
  return claims
}

/** From a random place to the end, and then from the beginning, so that claimers do not want the same items. */
async function claimInShard(
  target: PoolTarget,
  shard: number,
  count: number,
  claims: Claim[],
): Promise<void> {
  const start = drawnPlace(target.options.random)
  for (const comparison of ['>=', '<'] as const) {
    let from: StoredItem | undefined
    do {
      const page = await unusedPage(target, {
        shard,
        comparison,
        start,
        from,
        missing: count - claims.length,
      })
      await claimSome(target, page.candidates, count, claims)
      from = page.next
    } while (from !== undefined && claims.length < count)
    if (claims.length >= count) return
  }
}

interface PageRequest {
  readonly shard: number
  readonly comparison: '>=' | '<'
  readonly start: number
  readonly from: StoredItem | undefined
  readonly missing: number
}

async function unusedPage({ db, options }: PoolTarget, request: PageRequest) {
  const { table, index, indexKey, place, name, partitionKey } = options
  const { shard, comparison, start, from, missing } = request
  const input = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: `#shard = :shard AND #place ${comparison} :start`,
    ExpressionAttributeNames: { '#shard': indexKey, '#place': place },
    ExpressionAttributeValues: { ':shard': { S: indexShard(name, shard) }, ':start': { N: String(start) } },
    Limit: Math.min(MAX_PAGE, 2 * missing + SPARE_CANDIDATES),
    ...(from === undefined ? {} : { ExclusiveStartKey: from }),
  }
  const { Items = [], LastEvaluatedKey } = await untilTaken(options, () =>
    send<QueryCommandOutput>(db, new QueryCommand(input)),
  )
  const candidates = Items.flatMap((item): readonly Candidate[] => {
    const at = item[place]
    return at === undefined ? [] : [{ id: item[partitionKey]?.S ?? '', place: at }]
  })
  return { candidates, next: LastEvaluatedKey }
}

async function claimSome(
  target: PoolTarget,
  candidates: readonly Candidate[],
  count: number,
  claims: Claim[],
): Promise<void> {
  const left = shuffled(target.options.random, candidates)
  while (left.length > 0 && claims.length < count) {
    const tries = left.splice(0, count - claims.length)
    const ended = await Promise.allSettled(tries.map((candidate) => claimOne(target, candidate)))
    for (const result of ended) if (result.status === 'fulfilled' && result.value) claims.push(result.value)
    const failed = ended.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}

async function claimOne({ db, options }: PoolTarget, { id, place }: Candidate): Promise<Claim | undefined> {
  const claim = claimNameAt(place, requestToken(options.random))
  const Key = keyOf(options, id)
  const input = {
    TableName: options.table,
    Key,
    UpdateExpression: 'REMOVE #shard, #place SET claim = :claim, claimed_at = :now',
    // mark: item-is-claimed-where-it-was-seen
    ConditionExpression: '#place = :place',
    ExpressionAttributeNames: { '#shard': options.indexKey, '#place': options.place },
    ExpressionAttributeValues: {
      ':claim': { S: claim },
      ':now': { N: String(Math.floor(options.clock.now())) },
      ':place': place,
    },
    ReturnValues: 'ALL_NEW' as const,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  }
  try {
    const { Attributes } = await untilKnown(options, () =>
      send<UpdateItemCommandOutput>(db, new UpdateItemCommand(input)),
    )
    return claimOf(options, id, claim, Attributes)
  } catch (error) {
    if (refusalOf(error)?.kind !== 'condition') throw error
    // An attempt whose answer was lost may have claimed it.
    const item = itemThatRefused(error) ?? (await readItem(db, options, options.table, Key))
    return item?.claim?.S === claim ? claimOf(options, id, claim, item) : undefined
  }
}

function claimOf(
  options: PoolTarget['options'],
  id: string,
  claim: string,
  item: StoredItem | undefined,
): Claim {
  const own = new Set([options.partitionKey, options.sortKey, ...ownAttributes(options)])
  const others = Object.entries(item ?? {}).filter(([name]) => !own.has(name))
  return { id, claim, attributes: toPlainItem(Object.fromEntries(others) as Item) }
}

import { QueryCommand, TransactWriteItemsCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { readItemKey } from '../src/keys/item-key.js'
import { placementOf } from '../src/protocol/placement/placement.js'
import { announce, drain, move, settle } from '../src/protocol/states/calculated-count.js'
import { firstState } from '../src/protocol/states/shard-state.js'
import { viewOf } from '../src/protocol/states/shard-view.js'
import { calculated } from '../src/writes/calculated.js'
import type { ShardedEngine, StoredItem } from './sharded-engine.js'

/** A phase lasts slightly longer than the cache lifetime plus the limit for late requests. */
const PHASE_MILLISECONDS = 15_500

/**
 * Changes the count of the key `k` of a calculated table according to decisions 009 and 014, with independent requests. It leaves
 * some moves unfinished, for processes that encounter them.
 */
export async function changeCount(engine: ShardedEngine, from: number, to: number): Promise<void> {
  const { clock, random } = engine
  const seconds = () => Math.floor(clock.now() / 1_000)
  const first = firstState(from, seconds())
  await engine.setState(first)
  await clock.sleep(12_000)
  const announced = announce(first, to, seconds())
  await engine.setState(announced)
  await clock.sleep(PHASE_MILLISECONDS)
  const moved = move(announced, seconds())
  await engine.setState(moved)
  await clock.sleep(PHASE_MILLISECONDS)
  const draining = drain(moved, seconds())
  await engine.setState(draining)
  for (let left = 1; left > 0; ) {
    left = 0
    for (const { item, source, target } of await leaving(engine, from, to)) {
      left += 1
      const marked = await mark(engine, item, `${target}:${Math.floor(random.next() * 1e9)}`)
      await clock.sleep(random.next() * 400)
      if (marked === undefined) continue
      if (random.next() < 0.7) await carry(engine, marked, source, target)
    }
  }
  await engine.setState(settle(draining, seconds()))
}

/** The items that are still in a source shard. */
async function leaving({ client }: ShardedEngine, from: number, to: number) {
  const placement = placementOf({ suffix: calculated(), partitionKey: 'pk' })
  const view = viewOf(move(announce(firstState(from, 1), to, 2), 3), 0)
  const schema = { name: 'log', partitionKey: 'pk', sortKey: 'sk' }
  const found = []
  for (let source = 1; source <= Math.max(from, to); source++) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `k_${source}` } },
        ConsistentRead: true,
      }),
    )
    for (const item of Items) {
      const target = placement.home(view, readItemKey(schema, { ...item, pk: { S: 'k' } }))
      if (target !== source) found.push({ item, source, target })
    }
  }
  return found
}

async function mark({ client }: ShardedEngine, { pk, sk }: StoredItem, name: string) {
  try {
    const { Attributes } = await client.send(
      new UpdateItemCommand({
        TableName: 'log',
        Key: { pk, sk } as StoredItem,
        UpdateExpression: 'SET isotherm_moving = :name',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(isotherm_moving)',
        ExpressionAttributeValues: { ':name': { S: name } },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    return Attributes
  } catch (error) {
    const { name: kind, Item } = error as Error & { Item?: StoredItem }
    if (kind === 'ConditionalCheckFailedException' || kind === 'TransactionConflictException') return Item
    throw error
  }
}

async function carry({ client }: ShardedEngine, marked: StoredItem, source: number, target: number) {
  const { isotherm_moving: name, ...content } = marked
  if (name === undefined) return
  const place = { TableName: 'log', ConditionExpression: 'isotherm_moving = :name' }
  try {
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          {
            Put: {
              TableName: 'log',
              Item: { ...content, pk: { S: `k_${target}` }, isotherm_moved: { S: `${source}:${name.S}` } },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
          {
            Delete: {
              ...place,
              Key: { pk: { S: `k_${source}` }, sk: marked.sk } as StoredItem,
              ExpressionAttributeValues: { ':name': name },
            },
          },
        ],
      }),
    )
  } catch (error) {
    if ((error as Error).name !== 'TransactionCanceledException') throw error
  }
}

import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Process } from '../world/process.js'
import type { World } from '../world/world.js'
import { mayHaveBeenDone } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'

/** Registers vouchers that nobody has. @returns the codes of those that were left unprocessed */
export async function putVouchers(
  db: DynamoDBClient,
  table: string,
  vouchers: readonly { readonly key: Attributes }[],
): Promise<ReadonlySet<string>> {
  const PutRequests = vouchers.map(({ key }) => {
    const Item = { ...key, claims: { N: '0' } } as Attributes
    if (key.campaign !== undefined) Item.unused = key.campaign
    return { PutRequest: { Item } }
  })
  const output = await db.send(new BatchWriteItemCommand({ RequestItems: { [table]: PutRequests } }))
  const left = output.UnprocessedItems?.[table] ?? []
  return new Set(left.map(({ PutRequest }) => String(PutRequest?.Item?.code?.S)))
}

/** Of a claim: whether it is known to be this process's, and whether it may be carried out after its answer. */
interface Claimed {
  readonly isClaimed: boolean
  readonly mayArrive: boolean
}

/** Claims a voucher, out of the index. */
export async function claimVoucher(
  world: World,
  process: Process,
  db: DynamoDBClient,
  { table, key, claim }: { readonly table: string; readonly key: Attributes; readonly claim: string },
): Promise<Claimed> {
  try {
    const { $metadata } = await db.send(
      new UpdateItemCommand({
        TableName: table,
        Key: key,
        UpdateExpression: 'REMOVE unused SET claim = :claim ADD claims :one',
        ConditionExpression: 'attribute_exists(unused)',
        ExpressionAttributeValues: { ':claim': { S: claim }, ':one': { N: '1' } },
      }),
    )
    // An attempt before the one that was answered claims it once more when it was given back meanwhile.
    return { isClaimed: true, mayArrive: $metadata.attempts !== 1 }
  } catch (error) {
    if (!mayHaveBeenDone(error, world)) return { isClaimed: false, mayArrive: false }
  }
  const read = { TableName: table, Key: key, ConsistentRead: true }
  const { Item } = await untilAnswered(process, () => db.send(new GetItemCommand(read)))
  return { isClaimed: Item?.claim?.S === claim, mayArrive: true }
}

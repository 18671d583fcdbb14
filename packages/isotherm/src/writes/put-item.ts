import { PutItemCommand, type PutItemCommandInput, type PutItemCommandOutput } from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes, writeUnits } from '@isotherm/semantics'
import { refuseParameter } from '../errors/refuse.js'
import { readItemKey } from '../keys/item-key.js'
import type { LogicalKey } from '../keys/key.js'
import type { LowLevelRequest } from '../sdk/low-level-request.js'
import type { SendOptions } from '../sdk/physical-client.js'
import type { TableRuntime } from '../table/table-runtime.js'
import { guardThrottles } from './throttle-guard.js'
import { writeToAnyShard } from './write-to-any-shard.js'

const ONE_SHARD_CURE =
  'With a random suffix it would look at one shard only. Leave it out: the pair of keys must be unique by construction.'

/** Puts the item into a random shard of its key. */
export async function putItem(
  table: TableRuntime,
  request: LowLevelRequest,
  options: SendOptions | undefined,
): Promise<PutItemCommandOutput> {
  const input = request.input as unknown as PutItemCommandInput
  refuseConditions(table, input)
  const { partitionKey } = table.options
  const { logical: key } = readItemKey(table.options, input.Item)
  const output = await writeToAnyShard(table, {
    key,
    units: unitsOf(input),
    abortSignal: options?.abortSignal,
    send: (physical, log) => {
      const command = new PutItemCommand({
        ...input,
        Item: { ...input.Item, [partitionKey]: { ...physical } },
      })
      request.carryMiddleware(command)
      guardThrottles(command, log)
      return table.client.send(command, options)
    },
  })
  return withLogicalKey(output, partitionKey, key)
}

function refuseConditions(table: TableRuntime, input: PutItemCommandInput): void {
  for (const parameter of ['ConditionExpression', 'Expected', 'ConditionalOperator'] as const) {
    if (input[parameter] !== undefined) {
      throw refuseParameter(table.options.name, 'PutItem', parameter, ONE_SHARD_CURE)
    }
  }
  if (input.ReturnValues !== undefined && input.ReturnValues !== 'NONE') {
    throw refuseParameter(table.options.name, 'PutItem', `ReturnValues ${input.ReturnValues}`, ONE_SHARD_CURE)
  }
}

/** An item that the service will refuse has no size; the service shall say what is wrong with it. */
function unitsOf(input: PutItemCommandInput): number {
  try {
    return writeUnits(itemBytes(input.Item as unknown as Item))
  } catch {
    return 1
  }
}

function withLogicalKey(
  output: PutItemCommandOutput,
  partitionKey: string,
  key: LogicalKey,
): PutItemCommandOutput {
  const metrics = output.ItemCollectionMetrics
  if (metrics?.ItemCollectionKey === undefined) return output
  return {
    ...output,
    ItemCollectionMetrics: {
      ...metrics,
      ItemCollectionKey: { ...metrics.ItemCollectionKey, [partitionKey]: { ...key } },
    },
  }
}

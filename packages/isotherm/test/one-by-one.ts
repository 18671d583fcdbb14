import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb'

/**
 * Reads the items of the next batch for the table `log` one by one, as the service may: first the shards up to the
 * border, and after `between` the others.
 */
export function readOneByOne(client: DynamoDBClient, border: number, between: () => Promise<unknown>): void {
  let isMet = false
  client.middlewareStack.add(
    (next) => async (args) => {
      const { log } = (args.input as Partial<BatchGetItemCommandInput>).RequestItems ?? {}
      if (log === undefined || isMet) return next(args)
      isMet = true
      const low = await readOf(client, log, (shard) => shard <= border)
      await between()
      const high = await readOf(client, log, (shard) => shard > border)
      const output: BatchGetItemCommandOutput = { $metadata: {}, Responses: { log: [...low, ...high] } }
      return { response: {}, output } as never
    },
    { step: 'initialize' },
  )
}

async function readOf(client: DynamoDBClient, log: KeysAndAttributes, isWanted: (shard: number) => boolean) {
  const Keys = log.Keys?.filter(({ pk }) => isWanted(Number(pk?.S?.slice('k_'.length)))) ?? []
  if (Keys.length === 0) return []
  const { Responses } = await client.send(
    new BatchGetItemCommand({ RequestItems: { log: { ...log, Keys } } }),
  )
  return Responses?.log ?? []
}

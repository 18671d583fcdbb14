import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { DynamoDBClient, PutItemCommand, UpdateContributorInsightsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type LocalOptions } from '@isotherm/local'
import { SystemClock, VirtualClock } from '@isotherm/runtime'
import { type RemoteSourceOptions, remoteSource } from './remote-source.js'

const MINUTE = 60_000

/**
 * An engine that stands for a distant endpoint: its table `shop` had traffic some minutes ago. Requests to it are counted
 * by their operation.
 */
export async function remoteShop(options: Partial<RemoteSourceOptions> = {}, engine: LocalOptions = {}) {
  const system = new SystemClock()
  const clock = new VirtualClock(Math.floor(system.now() / MINUTE) * MINUTE - 4 * MINUTE)
  const local = createLocal({ ...engine, clock })
  const { url } = await local.listen({ port: 0 })
  const settings = {
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  }
  const client = new DynamoDBClient(settings)
  const cloudWatch = new CloudWatchClient(settings)
  const asked = new Map<string, number>()
  for (const each of [client, cloudWatch]) {
    each.middlewareStack.add(
      ((next: (args: unknown) => Promise<unknown>, context: { commandName?: string }) => (args: unknown) => {
        const name = context.commandName ?? ''
        asked.set(name, (asked.get(name) ?? 0) + 1)
        return next(args)
      }) as never,
      { step: 'initialize' },
    )
  }
  const writer = local.client({ maxAttempts: 1 })
  for (const name of ['quiet', 'shop', 'shop_shard_map']) await writer.send(createTable(name, ['id']))
  await writer.send(
    new UpdateContributorInsightsCommand({ TableName: 'shop', ContributorInsightsAction: 'ENABLE' }),
  )
  const put = (id: string) =>
    writer.send(new PutItemCommand({ TableName: 'shop', Item: { id: { S: id } } })).then(
      () => undefined,
      () => undefined,
    )
  await clock.run(async () => {
    const ids = Array.from({ length: 1_600 }, (_, at) => (at % 8 ? '/sale_1' : `/page/${at % 40}_1`))
    await Promise.all(ids.map(put))
    await clock.sleep(4 * MINUTE)
  })
  await writer.send(
    new PutItemCommand({
      TableName: 'shop_shard_map',
      Item: { id: { S: '/sale' }, number_of_shards: { N: '4' }, shard_history: { SS: ['1000:1', '2000:4'] } },
    }),
  )
  const source = remoteSource({
    client,
    cloudWatch,
    clock,
    region: 'us-east-1',
    endpoint: 'a distant endpoint',
    allowsWrites: false,
    ...options,
  })
  return { local, clock, source, client, cloudWatch, asked, url }
}

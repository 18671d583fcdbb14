import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import type { Local } from '@isotherm/local'
import type { VirtualClock } from '@isotherm/runtime'

/** Seconds of a sale that begins with one shard and gets a second one after these. */
const HOT_SECONDS = 5
const COOL_SECONDS = 8
const OTHER_KEYS = 40
/** Large items: the units of a busy second in a quarter of the requests. */
const SALE_UNITS = 4
const SALE_TEXT = 'a'.repeat(SALE_UNITS * 1_024 - 100)

/**
 * A shop whose key `/sale` is throttled in one shard for some seconds, and is not in two shards. Requests go to physical
 * keys, as the library sends them.
 */
export async function runSale(local: Local, clock: VirtualClock): Promise<void> {
  const client = local.client({ maxAttempts: 1 })
  for (const name of ['shop', 'shop_shard_map']) await client.send(createTable(name, ['page']))
  const put = (page: string, text: string) =>
    client
      .send(new PutItemCommand({ TableName: 'shop', Item: { page: { S: page }, text: { S: text } } }))
      .then(
        () => undefined,
        () => undefined,
      )
  await clock.run(async () => {
    for (let second = 0; second < HOT_SECONDS + COOL_SECONDS; second++) {
      const at = clock.now()
      const shards = second < HOT_SECONDS ? 1 : 2
      const pages = Array.from(
        { length: 1_400 / SALE_UNITS },
        (_, number) => `/sale_${(number % shards) + 1}`,
      )
      const others = Array.from({ length: OTHER_KEYS }, (_, number) => `/page/${number + 10}_1`)
      await Promise.all([
        ...pages.map((page) => put(page, SALE_TEXT)),
        ...others.map((page) => put(page, '')),
      ])
      await clock.sleep(at + 1_000 - clock.now())
    }
  })
}

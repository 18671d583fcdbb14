import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { large } from 'isotherm/large'
import { MeasuredCosts } from './measured-costs.js'
import type { OperationCost } from './operation-cost.js'
import { PatternWorld } from './pattern-world.js'

const KB = 1_024
const SIZES = [
  { name: '399 KB', bytes: 399 * KB - 100 },
  { name: '401 KB', bytes: 401 * KB },
  { name: '5 MB', bytes: 5 * KB * KB },
  { name: '40 MB', bytes: 40 * KB * KB },
]
/** As much as keeps any put from being throttled. */
const WARM = { ReadUnitsPerSecond: 400_000, WriteUnitsPerSecond: 400_000 }
/** Items of the service have 400 KB; by hand, chunks of it. */
const CHUNK_BYTES = 399 * KB

/** What each operation of large items costs, and the same by hand. */
export async function largeCosts(): Promise<readonly OperationCost[]> {
  const world = new PatternWorld({ seed: 1, tableUnitsPerSecond: 1_000_000 })
  const client = world.client(1)
  const { clock } = world
  const costs = new MeasuredCosts(world)
  const documents = large(client, {
    table: 'documents',
    partitionKey: 'id',
    clock,
    random: new SeededRandom(2),
  })
  await clock.run(async () => {
    await world.create({ ...keyed('documents', ['id']), WarmThroughput: WARM })
    await world.create({ ...keyed('documents_chunks', ['name', 'part']), WarmThroughput: WARM })
    const picture = noise(CHUNK_BYTES)
    const body = { B: picture.subarray(0, CHUNK_BYTES - 100) }
    const byHand = { id: { S: 'by hand' }, title: { S: 'Minutes' } }
    await costs.measure('by hand: put 399 KB', 1, () => send(client, { Item: { ...byHand, body } }))
    await costs.measure('by hand: change the title of 399 KB', 1, () =>
      client.send(
        new UpdateItemCommand({
          TableName: 'documents',
          Key: { id: byHand.id },
          UpdateExpression: 'SET title = :t',
          ExpressionAttributeValues: { ':t': { S: 'Draft' } },
        }),
      ),
    )
    await costs.measure(
      'by hand: put 5 MB as 13 chunks and an item, which readers may see half of',
      1,
      async () => {
        for (let chunk = 0; chunk < 13; chunk++) {
          const bytes = { B: chunk < 12 ? picture : picture.subarray(0, (5 * KB * KB) % CHUNK_BYTES) }
          await send(client, { Item: { id: { S: `by hand/${chunk}` }, bytes } })
        }
        await send(client, { Item: { id: { S: 'by hand, in chunks' } } })
      },
    )
    const text = 'A line of a log, with the number 200 and a path.\n'.repeat(8_000).slice(0, 390_000)
    await costs.measure('`put` of 390 KB of text, compressed', 1, () =>
      documents.put({ id: 'text', body: text }),
    )
    await costs.measure('`get` of it', 1, () => documents.get({ id: 'text' }))
    for (const { name, bytes } of SIZES) {
      const [key, item] = [{ id: name }, { id: name, title: 'Minutes', scan: repeated(picture, bytes) }]
      await costs.measure(`\`put\` of ${name} that cannot be compressed`, 1, () => documents.put(item))
      await costs.measure('`put` that replaces it', 1, () => documents.put(item))
      await costs.measure('`get` of it', 1, () => documents.get(key))
      await costs.measure('`get` of its title', 1, () => documents.get(key, { attributes: ['title'] }))
      await costs.measure('`update` of its title', 1, () =>
        documents.update(key, { set: { title: 'Draft' } }),
      )
      await costs.measure('`delete` of it', 1, () => documents.delete(key))
    }
    await clock.sleep(86_400_000)
    await costs.measure('`collect()` of what is left in the journal', 1, () => documents.collect())
    await clock.sleep(86_400_000)
    await documents.collect()
    await costs.measure('`collect()` with nothing to do', 1, () => documents.collect())
  })
  await world.close()
  return costs.rows
}

function send(
  client: ReturnType<PatternWorld['client']>,
  { Item }: Pick<ConstructorParameters<typeof PutItemCommand>[0], 'Item'>,
) {
  return client.send(new PutItemCommand({ TableName: 'documents', Item }))
}

/** A table on demand with keys of text. */
export function keyed(TableName: string, keys: readonly string[]) {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    KeySchema: keys.map((AttributeName, index) => ({
      AttributeName,
      KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
    })),
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  }
}

/** Cannot be compressed. */
function noise(bytes: number): Uint8Array {
  const random = new SeededRandom(1)
  return Uint8Array.from({ length: bytes }, () => Math.floor(random.next() * 256))
}

function repeated(part: Uint8Array, bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += part.length) whole.set(part.subarray(0, bytes - at), at)
  return whole
}

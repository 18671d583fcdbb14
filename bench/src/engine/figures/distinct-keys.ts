import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { lightClient } from '@isotherm/simulation/world'
import { dynamicShards, isotherm } from 'isotherm'
import { whole } from '../engine-figures.js'
import type { Figure } from './figure.js'
import { usedBytes } from './used-bytes.js'

const KEYS = 1_000_000
/** The caches and sketches of the library are full after these. */
const FIRST_KEYS = 200_000
const MEGABYTE = 1024 ** 2
/** Of growth, between the first keys and all of them. */
const MOST_MEGABYTES = 10

/** The library's memory after writes to many keys. A function answers them, so that nothing else keeps them. */
export async function distinctKeys(): Promise<readonly Figure[]> {
  const clock = new SystemClock()
  const deliver = async (operation: string, { TableName }: { readonly TableName?: string }) => ({
    output: answerTo(operation, TableName),
  })
  const client = lightClient({ clock, random: new SeededRandom(1), deliver }, 1)
  const db = isotherm(client, {
    tables: { log: { partitionKey: 'path', sortKey: 'at', suffix: 'random', shards: dynamicShards() } },
  })
  const write = async (from: number, to: number) => {
    for (let number = from; number < to; number++) {
      const Item = { path: { S: `/files/${number}` }, at: { N: String(number) } }
      await db.send(new PutItemCommand({ TableName: 'log', Item }))
    }
  }
  const before = usedBytes()
  await write(0, FIRST_KEYS)
  const first = usedBytes()
  await write(FIRST_KEYS, KEYS)
  const all = usedBytes()
  const grown = (all - first) / MEGABYTE
  return [
    {
      name: `The library's memory after puts to ${whole(KEYS)} keys`,
      measured: `${((all - before) / MEGABYTE).toFixed(0)} MB, after ${whole(FIRST_KEYS)} keys ${((first - before) / MEGABYTE).toFixed(0)} MB`,
      aim: { text: 'does not grow with the keys', isMet: grown < MOST_MEGABYTES },
    },
  ]
}

/** The shard map has counts, though not those of these keys. The table is empty. */
function answerTo(operation: string, table: string | undefined): Record<string, unknown> {
  return operation === 'Scan' && table?.endsWith('_shard_map') ? { Items: [{}] } : {}
}

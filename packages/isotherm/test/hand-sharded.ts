import { hash } from 'node:crypto'
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { isotherm } from '../src/client/isotherm.js'
import type { ShardedTableOptions } from '../src/client/options.js'
import { fixedShards } from '../src/scaling/shards.js'
import { handMade } from '../src/writes/hand-made.js'
import type { HandMadeOptions } from '../src/writes/hand-made-options.js'
import type { ShardOf } from '../src/writes/own-place.js'
import { warmedUp } from './warmed-up.js'

const SHARDS = 10

/** A vote of a campaign, as an application that shards by hand sees it. */
export interface Vote {
  readonly campaign: string
  readonly voted_at: string
  readonly votes?: number
}

/** The application's own code, from before it had the library, and the options that describe it. */
export interface Scheme {
  readonly title: string
  /** Makes the stored key of a vote. */
  readonly byHand: (vote: Vote) => string
  readonly options: HandMadeOptions
}

/** The usual code: a hash of the key and the time, modulo the number of shards. */
function md5Of(text: string): number {
  return Number(BigInt(`0x${hash('md5', text)}`) % BigInt(SHARDS))
}

const bucketOf = ({ campaign, voted_at }: Vote) => md5Of(campaign + voted_at)
const bucket: (...item: Parameters<ShardOf>) => number = ({ partitionKey, sortKey }) =>
  md5Of(`${partitionKey}${sortKey}`)
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'k']

export const MD5: Scheme = {
  title: 'Campaign#101#7, numbered from 1',
  byHand: (vote) => `${vote.campaign}#${bucketOf(vote) + 1}`,
  options: { name: 'votes', delimiter: '#', shardOf: (item) => bucket(item) + 1 },
}

/** Its shards were drawn. In this test, a function of the vote draws them. */
export const DRAWN: Scheme = {
  title: 'Campaign#101.3, drawn at random',
  byHand: (vote) => `${vote.campaign}.${(Number(vote.voted_at.slice(-2)) % SHARDS) + 1}`,
  options: { name: 'votes', delimiter: '.', shardOf: 'random' },
}

export const PREFIXED: Scheme = {
  title: '7#Campaign#101, in front',
  byHand: (vote) => `${bucketOf(vote) + 1}#${vote.campaign}`,
  options: { name: 'votes', delimiter: '#', position: 'prefix', shardOf: (item) => bucket(item) + 1 },
}

export const SCHEMES: readonly Scheme[] = [
  MD5,
  DRAWN,
  PREFIXED,
  {
    title: 'Campaign#101#0, numbered from 0',
    byHand: (vote) => `${vote.campaign}#${bucketOf(vote)}`,
    options: { name: 'votes', delimiter: '#', first: 0, shardOf: bucket },
  },
  {
    title: 'Campaign#101#07, with leading zeros',
    byHand: (vote) => `${vote.campaign}#${String(bucketOf(vote) + 1).padStart(2, '0')}`,
    options: { name: 'votes', delimiter: '#', digits: 2, shardOf: (item) => BigInt(bucket(item) + 1) },
  },
  {
    title: 'Campaign#10107, without a delimiter',
    byHand: (vote) => `${vote.campaign}${String(bucketOf(vote) + 1).padStart(2, '0')}`,
    options: {
      name: 'votes',
      delimiter: '',
      digits: 2,
      acceptLookalikes: true,
      shardOf: (item) => bucket(item) + 1,
    },
  },
  {
    title: 'Campaign#101-d, with letters',
    byHand: (vote) => `${vote.campaign}-${LETTERS[bucketOf(vote)]}`,
    options: {
      name: 'votes',
      delimiter: '-',
      labels: LETTERS,
      shardOf: (item) => LETTERS[bucket(item)] ?? '',
    },
  },
  {
    title: 'shard-7/of/Campaign#101, made by functions',
    byHand: (vote) => `shard-${bucketOf(vote) + 1}/of/${vote.campaign}`,
    options: {
      name: 'votes',
      format: (key, shard) => `shard-${shard}/of/${key}`,
      parse: (stored) => {
        const [, shard, key] = /^shard-(\d+)\/of\/(.*)$/s.exec(stored) ?? []
        return key === undefined ? undefined : { key, shard: Number(shard) }
      },
      shardOf: (item) => bucket(item) + 1,
    },
  },
]

/** Some keys are not sharded. Their first shard is the key itself. */
export const PARTLY: Scheme = {
  title: 'Campaign#101#7 beside User#12',
  byHand: (vote) =>
    vote.campaign.startsWith('User#') ? vote.campaign : `${vote.campaign}#${bucketOf(vote) + 1}`,
  options: {
    name: 'votes',
    format: (key, shard) => (key.startsWith('User#') && shard === 1 ? key : `${key}#${shard}`),
    parse: (stored) => {
      if (/^User#\d+$/.test(stored)) return { key: stored, shard: 1 }
      const [, key, shard] = /^(.*)#(\d+)$/s.exec(stored) ?? []
      return key === undefined ? undefined : { key, shard: Number(shard) }
    },
    shardOf: (item) => (`${item.partitionKey}`.startsWith('User#') ? 1 : bucket(item) + 1),
  },
}

/** An engine with a table `votes` that was sharded by hand, and 60 votes of two campaigns. */
export async function handSharded(scheme: Scheme, changes: Partial<ShardedTableOptions> = {}) {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const local = createLocal({ clock, random: new SeededRandom(2), throttle: false })
  const client = await warmedUp(local.client())
  const plain = DynamoDBDocumentClient.from(client)
  const options: ShardedTableOptions = {
    partitionKey: 'campaign',
    sortKey: 'voted_at',
    suffix: handMade(scheme.options),
    shards: fixedShards(SHARDS),
    ...changes,
  }
  const votes = ['Campaign#101', 'Campaign#102'].flatMap((campaign) =>
    Array.from({ length: 30 }, (_, n) => ({ campaign, voted_at: `2026-01-01T00:00:${10 + n}`, votes: n })),
  )
  await clock.run(async () => {
    await client.send(
      createTable('votes', ['campaign', 'voted_at'], {
        global: { by_time: ['voted_at', 'campaign'], by_kind: ['isotherm_by_kind', 'voted_at'] },
      }),
    )
    for (const vote of votes) {
      await plain.send(
        new PutCommand({ TableName: 'votes', Item: { ...vote, campaign: scheme.byHand(vote) } }),
      )
    }
  })
  const db = isotherm(plain, { tables: { votes: options }, clock, random })
  return { clock, random, client, db, options, votes, close: () => local.close() }
}

/** The stored keys of all votes, by their times. */
export async function storedKeys(client: DynamoDBClient): Promise<readonly string[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'votes' }))
  return Items.map(({ campaign, voted_at }) => `${campaign?.S} ${voted_at?.S}`).sort()
}

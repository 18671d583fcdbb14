import { PutItemCommand as LowLevelPut } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  paginateScan,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import {
  DRAWN,
  handSharded,
  MD5,
  PARTLY,
  PREFIXED,
  SCHEMES,
  type Scheme,
  storedKeys,
  type Vote,
} from '../../test/hand-sharded.js'
import { backfillIndexes } from '../client/backfill-indexes.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { logicalRecord } from '../streams/logical-record.js'

const CAMPAIGN = 'Campaign#101'
const keyOf = ({ campaign, voted_at }: Vote) => ({ campaign, voted_at })
const at = (time: string): Vote => ({ campaign: CAMPAIGN, voted_at: time })

type Table = Awaited<ReturnType<typeof handSharded>>

async function withTable(scheme: Scheme, test: (table: Table) => Promise<void>): Promise<void> {
  const table = await handSharded(scheme)
  await table.clock.run(() => test(table))
  table.db.destroy()
  await table.close()
}

/** The keys that the application itself would have stored. */
const byHand = (scheme: Scheme, votes: readonly Vote[]) =>
  votes.map((vote) => `${scheme.byHand(vote)} ${vote.voted_at}`).sort()

async function queried({ db }: Table, pageSize: number, forward: boolean) {
  const found: Record<string, unknown>[] = []
  const query = {
    TableName: 'votes',
    KeyConditionExpression: 'campaign = :c AND voted_at >= :from',
    ExpressionAttributeValues: { ':c': CAMPAIGN, ':from': '2026-01-01T00:00:12' },
    ScanIndexForward: forward,
  }
  for await (const { Items = [] } of paginateQuery({ client: db, pageSize }, query)) found.push(...Items)
  return found
}

describe.each(SCHEMES)('a table sharded by hand as $title', (scheme) => {
  it('is queried in order, page by page, forwards and backwards', async () => {
    await withTable(scheme, async (table) => {
      const expected = table.votes.filter(({ campaign }) => campaign === CAMPAIGN).slice(2)
      expect(await queried(table, 7, true)).toEqual(expected)
      expect(await queried(table, 3, false)).toEqual(expected.toReversed())
    })
  })

  it('reads, changes and deletes every item where it is, and creates none twice', async () => {
    await withTable(scheme, async ({ db, client, votes }) => {
      for (const vote of votes) {
        const { Item } = await db.send(new GetCommand({ TableName: 'votes', Key: keyOf(vote) }))
        expect(Item).toEqual(vote)
        await db.send(
          new UpdateCommand({
            TableName: 'votes',
            Key: keyOf(vote),
            UpdateExpression: 'ADD votes :one',
            ConditionExpression: 'votes = :before',
            ExpressionAttributeValues: { ':one': 1, ':before': vote.votes },
          }),
        )
      }
      expect(await storedKeys(client)).toEqual(byHand(scheme, votes))
      const [gone, ...others] = votes
      if (gone === undefined) throw new Error('There are no votes.')
      const { Attributes } = await db.send(
        new DeleteCommand({ TableName: 'votes', Key: keyOf(gone), ReturnValues: 'ALL_OLD' }),
      )
      expect(Attributes).toEqual({ ...gone, votes: 1 })
      expect(await storedKeys(client)).toEqual(byHand(scheme, others))
    })
  })

  it('reads and writes in batches and transactions', async () => {
    await withTable(scheme, async ({ db, client, votes }) => {
      const some = votes.slice(20, 40)
      const { Responses } = await db.send(
        new BatchGetCommand({ RequestItems: { votes: { Keys: some.map(keyOf) } } }),
      )
      const byTime = (a: Record<string, unknown>, b: Record<string, unknown>) =>
        JSON.stringify([a.campaign, a.voted_at]) < JSON.stringify([b.campaign, b.voted_at]) ? -1 : 1
      expect(Responses?.votes?.toSorted(byTime)).toEqual(some)
      const [first, second, ...others] = votes
      if (first === undefined || second === undefined) throw new Error('There are too few votes.')
      const read = await db.send(
        new TransactGetCommand({ TransactItems: [{ Get: { TableName: 'votes', Key: keyOf(second) } }] }),
      )
      expect(read.Responses).toEqual([{ Item: second }])
      await db.send(
        new TransactWriteCommand({
          TransactItems: [
            {
              Delete: {
                TableName: 'votes',
                Key: keyOf(first),
                ConditionExpression: 'attribute_exists(votes)',
              },
            },
            {
              Update: {
                TableName: 'votes',
                Key: keyOf(second),
                UpdateExpression: 'SET votes = :n',
                ExpressionAttributeValues: { ':n': 100 },
              },
            },
          ],
        }),
      )
      await db.send(
        new BatchWriteCommand({
          RequestItems: {
            votes: others.slice(0, 5).map((vote) => ({ DeleteRequest: { Key: keyOf(vote) } })),
          },
        }),
      )
      expect(await storedKeys(client)).toEqual(byHand(scheme, [second, ...others.slice(5)]))
    })
  })

  it('is scanned with logical keys', async () => {
    await withTable(scheme, async ({ db, votes }) => {
      const found: Record<string, unknown>[] = []
      for await (const { Items = [] } of paginateScan({ client: db, pageSize: 9 }, { TableName: 'votes' })) {
        found.push(...Items)
      }
      expect(found.map((item) => JSON.stringify(keyOf(item as unknown as Vote))).sort()).toEqual(
        votes.map((vote) => JSON.stringify(keyOf(vote))).sort(),
      )
    })
  })

  it('has stream records with logical keys', async () => {
    await withTable(scheme, async ({ options, votes }) => {
      for (const vote of votes) {
        const Keys = { campaign: { S: scheme.byHand(vote) }, voted_at: { S: vote.voted_at } }
        const { dynamodb, shard } = logicalRecord({ dynamodb: { Keys } }, options)
        expect(dynamodb?.Keys?.campaign).toEqual({ S: vote.campaign })
        expect(shard).toBeGreaterThan(0)
      }
    })
  })
})

describe('a table sharded by hand', () => {
  it.each(SCHEMES.filter((scheme) => scheme !== DRAWN))(
    'creates items where the application would: $title',
    async (scheme) => {
      await withTable(scheme, async ({ db, client, votes }) => {
        const more = Array.from({ length: 20 }, (_, n) => at(`2026-02-02T00:00:${10 + n}`))
        for (const Item of more) await db.send(new PutCommand({ TableName: 'votes', Item: { ...Item } }))
        // The same keys once more replace what is there.
        await db.send(
          new BatchWriteCommand({ RequestItems: { votes: more.map((Item) => ({ PutRequest: { Item } })) } }),
        )
        expect(await storedKeys(client)).toEqual(byHand(scheme, [...votes, ...more]))
      })
    },
  )

  it('creates items in any shard, if the shards were drawn', async () => {
    await withTable(DRAWN, async ({ db, client, votes }) => {
      const more = Array.from({ length: 50 }, (_, n) => at(`2026-02-02T00:00:${10 + n}`))
      for (const Item of more) await db.send(new PutCommand({ TableName: 'votes', Item: { ...Item } }))
      const added = (await storedKeys(client)).filter((key) => key.includes('2026-02-02'))
      expect(added).toHaveLength(more.length)
      expect(new Set(added.map((key) => key.split(' ')[0])).size).toBeGreaterThan(5)
      for (const key of added) expect(key).toMatch(/^Campaign#101\.([1-9]|10) /)
      expect(await storedKeys(client)).toHaveLength(votes.length + more.length)
    })
  })

  it.each(SCHEMES)(
    'answers a query of an inverted index in logical order, or refuses it: $title',
    async (scheme) => {
      await withTable(scheme, async ({ db }) => {
        const answered = db.send(
          new QueryCommand({
            TableName: 'votes',
            IndexName: 'by_time',
            KeyConditionExpression: 'voted_at = :t AND begins_with(campaign, :c)',
            ExpressionAttributeValues: { ':t': '2026-01-01T00:00:15', ':c': 'Campaign#' },
          }),
        )
        const beginsWithTheKey = scheme !== PREFIXED && scheme.options.format === undefined
        if (!beginsWithTheKey) {
          await expect(answered).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
          return
        }
        const { Items = [] } = await answered
        expect(Items.map(({ campaign }) => campaign)).toEqual(['Campaign#101', 'Campaign#102'])
      })
    },
  )

  it.each(SCHEMES)('scans by a prefix of the logical key, or refuses it: $title', async (scheme) => {
    await withTable(scheme, async ({ db }) => {
      const answered = db.send(
        new ScanCommand({
          TableName: 'votes',
          FilterExpression: 'begins_with(campaign, :c)',
          ExpressionAttributeValues: { ':c': 'Campaign#101' },
        }),
      )
      const beginsWithTheKey = scheme !== PREFIXED && scheme.options.format === undefined
      if (beginsWithTheKey) expect((await answered).Count).toBe(30)
      else await expect(answered).rejects.toMatchObject({ code: 'command.parameter-unsupported' })
    })
  })

  it('has keys that are not sharded, if functions say so', async () => {
    await withTable(PARTLY, async ({ db, client, votes }) => {
      const user = { campaign: 'User#7', voted_at: 'profile', name: 'Ann' }
      await db.send(new PutCommand({ TableName: 'votes', Item: user }))
      expect(await storedKeys(client)).toEqual([...byHand(PARTLY, votes), 'User#7 profile'].sort())
      const Key = { campaign: 'User#7', voted_at: 'profile' }
      expect((await db.send(new GetCommand({ TableName: 'votes', Key }))).Item).toEqual(user)
      const query = {
        TableName: 'votes',
        KeyConditionExpression: 'campaign = :c',
        ExpressionAttributeValues: { ':c': 'User#7' },
      }
      expect((await db.send(new QueryCommand(query))).Items).toEqual([user])
      // This one would be a shard of another key.
      const stored = { campaign: 'Campaign#101#7', voted_at: 'x' }
      await expect(db.send(new PutCommand({ TableName: 'votes', Item: stored }))).rejects.toMatchObject({
        code: 'key.ambiguous',
      })
    })
  })

  it('shows the requests of a placement of its own', async () => {
    await withTable(MD5, async ({ db, votes }) => {
      const [vote] = votes
      if (vote === undefined) throw new Error('There are no votes.')
      const requests = await db.explain(new GetCommand({ TableName: 'votes', Key: keyOf(vote) }))
      expect(JSON.stringify(requests)).toContain(MD5.byHand(vote))
    })
  })

  it('rejects a key that already names a shard, unless such keys are allowed', async () => {
    const put = new PutCommand({
      TableName: 'votes',
      Item: { campaign: 'Campaign#7', voted_at: 'x' },
    })
    await withTable(MD5, async ({ db }) => {
      await expect(db.send(put)).rejects.toMatchObject({
        code: 'key.ambiguous',
        message: expect.stringContaining('acceptLookalikes'),
      })
      // There are ten shards, so this is no name of one.
      await db.send(new PutCommand({ TableName: 'votes', Item: { campaign: 'Campaign#11', voted_at: 'x' } }))
    })
    const lenient = { ...MD5, options: { ...MD5.options, acceptLookalikes: true } }
    await withTable(lenient, async ({ db }) => {
      await db.send(put)
      const Key = { campaign: 'Campaign#7', voted_at: 'x' }
      expect((await db.send(new GetCommand({ TableName: 'votes', Key }))).Item).toEqual(Key)
    })
  })

  it('can grow without handMade, if its shards were drawn and are numbered from 1', async () => {
    const table = await handSharded(DRAWN, {
      suffix: 'random',
      delimiter: '.',
      shards: dynamicShards({ initial: 10, quiet: false }),
    })
    const { db, client, clock } = table
    await clock.run(async () => {
      await client.send(createTable('votes_shard_map', ['campaign']))
      await db.shards('votes', CAMPAIGN).set(14)
      const [byHandNow, fromNow] = [at('2026-02-01'), at('2026-02-02')]
      await db.send(new PutCommand({ TableName: 'votes', Item: { ...fromNow } }))
      // A writer that still shards by hand uses the shards that it knows.
      const Item = { campaign: { S: DRAWN.byHand(at('07')) }, voted_at: { S: byHandNow.voted_at } }
      await client.send(new LowLevelPut({ TableName: 'votes', Item }))
      const query = {
        TableName: 'votes',
        KeyConditionExpression: 'campaign = :c',
        ExpressionAttributeValues: { ':c': CAMPAIGN },
        ConsistentRead: true,
      }
      const { Items = [] } = await db.send(new QueryCommand(query))
      expect(Items).toHaveLength(32)
      expect(Items.slice(-2)).toEqual([byHandNow, fromNow])
    })
    db.destroy()
    await table.close()
  })

  it.each([MD5, PREFIXED])('has sharded indexes, for old items too: $title', async (scheme) => {
    const indexes = { by_kind: { partitionKey: 'kind', sortKey: 'voted_at', shards: fixedShards(3) } }
    const table = await handSharded(scheme, { indexes, delimiter: '~' })
    const { db, client, clock, options, votes } = table
    await clock.run(async () => {
      const [old, ...others] = votes
      if (old === undefined) throw new Error('There are no votes.')
      for (const { campaign, voted_at } of others.slice(0, 20)) {
        const Item = { campaign: { S: scheme.byHand({ campaign, voted_at }) }, voted_at: { S: voted_at } }
        await client.send(new LowLevelPut({ TableName: 'votes', Item: { ...Item, kind: { S: 'late' } } }))
      }
      await backfillIndexes(client, { table: 'votes', options, clock })
      await db.send(new PutCommand({ TableName: 'votes', Item: { ...old, kind: 'late' } }))
      const { Items = [] } = await db.send(
        new QueryCommand({
          TableName: 'votes',
          IndexName: 'by_kind',
          KeyConditionExpression: 'kind = :k',
          ExpressionAttributeValues: { ':k': 'late' },
        }),
      )
      expect(Items.map((item) => keyOf(item as Vote))).toEqual(votes.slice(0, 21).map(keyOf))
    })
    await table.close()
  })
})

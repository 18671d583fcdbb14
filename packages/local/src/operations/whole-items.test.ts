import { beforeEach, describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const TableName = 'songs'
const ITEMS = 9_000
const ARTIST = { ':artist': { S: 'a' } }

const idOf = (n: number) => String(n).padStart(5, '0')
/** In the order of the index, they are shuffled: 7,919 is a prime. */
const song = (n: number) => ({
  artist: { S: 'a' },
  title: { S: idOf(n) },
  year: { S: idOf((n * 7_919) % ITEMS) },
  text: { S: 'x'.repeat(n % 40) },
})

const byYear = (more: object = {}) => ({
  TableName,
  IndexName: 'by_year',
  KeyConditionExpression: 'artist = :artist',
  ExpressionAttributeValues: ARTIST,
  Select: 'ALL_ATTRIBUTES',
  ReturnConsumedCapacity: 'INDEXES',
  ...more,
})

describe('a page of many whole items behind a local index', () => {
  let fixture: EngineFixture
  beforeEach(() => {
    fixture = new EngineFixture({ throttle: false })
    fixture.ask('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'artist', KeyType: 'HASH' },
        { AttributeName: 'title', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['artist', 'title', 'year'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      LocalSecondaryIndexes: [
        {
          IndexName: 'by_year',
          KeySchema: [
            { AttributeName: 'artist', KeyType: 'HASH' },
            { AttributeName: 'year', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    })
    for (let n = 0; n < ITEMS; n += 25) {
      const puts = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: song(n + at) } }))
      fixture.ask('BatchWriteItem', { RequestItems: { [TableName]: puts } })
    }
  })

  const ask = async (operation: string, input: object) => fixture.ask(operation, input)
  const songs = Array.from({ length: ITEMS }, (_, n) => song(n)).toSorted((a, b) =>
    a.year.S < b.year.S ? -1 : 1,
  )

  it('is the same as one that is read at once, and costs as much', async () => {
    const whole = await ask('Query', byYear())
    expect(whole).toMatchObject({ Count: ITEMS, ScannedCount: ITEMS })
    expect(whole).not.toHaveProperty('LastEvaluatedKey')
    expect(JSON.parse(JSON.stringify(whole)).Items).toEqual(songs)
    // Half a unit for each item, and for each 8 KB of entries.
    const entryBytes = ITEMS * (6 + 1 + 5 + 5 + 4 + 5)
    const units = ITEMS / 2 + Math.ceil(entryBytes / 4_096) / 2
    expect(whole.ConsumedCapacity.CapacityUnits).toBe(units)
  })

  it.each([3_999, 4_000, 4_001, 8_000])('ends after %i items, in either direction', async (Limit) => {
    const forward = await ask('Query', byYear({ Limit }))
    expect(JSON.parse(JSON.stringify(forward)).Items).toEqual(songs.slice(0, Limit))
    const last = songs[Limit - 1]
    expect(forward.LastEvaluatedKey).toEqual({ artist: last?.artist, title: last?.title, year: last?.year })
    const backward = await ask('Query', byYear({ Limit, ScanIndexForward: false }))
    expect(JSON.parse(JSON.stringify(backward)).Items).toEqual(songs.toReversed().slice(0, Limit))
    const scanned = await ask('Scan', { TableName, IndexName: 'by_year', Select: 'ALL_ATTRIBUTES', Limit })
    expect(JSON.parse(JSON.stringify(scanned)).Items).toEqual(songs.slice(0, Limit))
  })

  it('is read by statements, too', async () => {
    const Statement = `SELECT title, "text" FROM "${TableName}"."by_year" WHERE artist = 'a'`
    const { Items } = await ask('ExecuteStatement', { Statement })
    expect(JSON.stringify(Items)).toBe(JSON.stringify(songs.map(({ title, text }) => ({ title, text }))))
  })

  it('lets other requests in, and shows what they have written', async () => {
    const answer = ask('Query', byYear())
    const [first, last] = [songs[0], songs.at(-1)]
    for (const each of [first, last])
      fixture.ask('UpdateItem', {
        TableName,
        Key: { artist: each?.artist, title: each?.title },
        UpdateExpression: 'SET #text = :new',
        ExpressionAttributeNames: { '#text': 'text' },
        ExpressionAttributeValues: { ':new': { S: 'new' } },
      })
    const { Items } = JSON.parse(JSON.stringify(await answer))
    expect(Items[0]).toEqual(first)
    expect(Items.at(-1)).toEqual({ ...last, text: { S: 'new' } })
  })

  it('fails when its table is gone', async () => {
    const answer = ask('Query', byYear())
    fixture.ask('DeleteTable', { TableName })
    await expect(answer).rejects.toThrow('Requested resource not found')
  })
})

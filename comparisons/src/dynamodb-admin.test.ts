import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createServer } from 'dynamodb-admin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve } from './served.fixture.js'

let served: Served
let browsing: DynamoDBClient
let admin: Server
let site: string

beforeAll(async () => {
  served = await serve()
  browsing = new DynamoDBClient(served.settings)
  await served.client.send(
    createTable('plants', ['family', 'height:N'], { global: { byGarden: ['garden'] } }),
  )
  for (let height = 1; height <= 30; height += 1) {
    await served.client.send(
      new PutItemCommand({
        TableName: 'plants',
        Item: {
          family: { S: height > 15 ? 'palm' : 'fern' },
          height: { N: String(height) },
          garden: { S: height > 28 ? 'Kew' : 'Eden' },
          name: { S: `plant number ${height}` },
        },
      }),
    )
  }
  admin = createHttpServer(createServer({ dynamoDbClient: browsing }))
  await new Promise<void>((resolve) => admin.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`
})

afterAll(async () => {
  admin.closeAllConnections()
  await new Promise((resolve) => admin.close(resolve))
  browsing.destroy()
  await served.stop()
})

async function page(path: string): Promise<string> {
  const response = await fetch(`${site}${path}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}

/** The request that its table page sends from a script. */
async function items(search: string) {
  return JSON.parse(await page(`/tables/plants/items?${search}`)) as {
    Items: Record<string, unknown>[]
    nextKey: string | null
  }
}

describe('dynamodb-admin', () => {
  it('lists the tables', async () => {
    expect(await page('/')).toContain('plants')
    expect(JSON.parse(await page('/api/tables'))).toMatchObject([{ TableName: 'plants', ItemCount: 30 }])
  })

  it('shows a table, what it is made of and its time to live', async () => {
    const shown = await page('/tables/plants')
    expect(shown).toContain('byGarden')
    expect(shown).toContain('family')
    expect(await page('/tables/plants/meta')).toContain('arn:aws:dynamodb:')
    await page('/tables/plants/ttl')
  })

  it('scans and queries items, page after page', async () => {
    const first = await items('operationType=scan&pageSize=20')
    expect(first.Items).toHaveLength(20)
    const rest = await items(`operationType=scan&pageSize=20&startKey=${first.nextKey}`)
    const names = [...first.Items, ...rest.Items].map(({ name }) => name)
    expect(new Set(names).size).toBe(30)
    expect(rest.nextKey).toBeNull()
    const filters = { garden: { value: 'Kew', operator: '=', type: 'S' } }
    const found = await items(
      `operationType=query&queryableSelection=byGarden&filters=${encodeURIComponent(JSON.stringify(filters))}`,
    )
    expect(found.Items.map(({ name }) => name).sort()).toEqual(['plant number 29', 'plant number 30'])
  })

  it('shows an item, changes it and deletes it', async () => {
    expect(await page('/tables/plants/items/palm,16')).toContain('plant number 16')
    const changed = await fetch(`${site}/tables/plants/items/palm,16`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ family: 'palm', height: 16, name: 'renamed' }),
    })
    expect(changed.status, await changed.text()).toBe(200)
    const read = async () =>
      (
        await served.client.send(
          new GetItemCommand({ TableName: 'plants', Key: { family: { S: 'palm' }, height: { N: '16' } } }),
        )
      ).Item
    expect(await read()).toMatchObject({ name: { S: 'renamed' } })
    const removed = await fetch(`${site}/tables/plants/items/palm,16`, { method: 'DELETE' })
    expect(removed.ok).toBe(true)
    expect(await read()).toBeUndefined()
  })

  it('creates and purges tables', async () => {
    const created = await fetch(`${site}/create-table`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        TableDefinition: {
          TableName: 'made-by-hand',
          HashAttributeName: 'id',
          HashAttributeType: 'S',
          ReadCapacityUnits: 3,
          WriteCapacityUnits: 3,
        },
      }),
    })
    expect(created.ok, await created.text()).toBe(true)
    expect(await page('/')).toContain('made-by-hand')
    const purged = await fetch(`${site}/tables/plants/all`, { method: 'DELETE' })
    expect(purged.ok).toBe(true)
    expect((await items('operationType=scan&pageSize=20')).Items).toEqual([])
  })
})

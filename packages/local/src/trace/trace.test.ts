import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { createLocal, type LocalOptions } from '../local.js'
import { TraceFile } from './trace-file.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-trace-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

/** The header and the requests of a trace of work on virtual time. */
async function traceOf(
  work: (client: DynamoDBClient, clock: VirtualClock) => Promise<void>,
  options: LocalOptions = {},
) {
  const trace = join(folder, `${files++}.jsonl`)
  const clock = new VirtualClock()
  const local = createLocal({ clock, trace, ...options })
  await clock.run(() => work(local.client({ maxAttempts: 1 }), clock))
  await local.close()
  const [header, ...requests] = readFileSync(trace, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { trace, header, requests }
}

const TABLE = createTable('things', ['id'], { units: 1 })

function put(id: string, more: object = {}) {
  return new PutItemCommand({ TableName: 'things', Item: { id: { S: id }, ...more } })
}

describe('a trace', () => {
  it('holds each request with its time, its units and its partition', async () => {
    const { header, requests } = await traceOf(async (client, clock) => {
      await client.send(TABLE)
      await clock.sleep(2_000)
      await client.send(put('a', { text: { S: 'x'.repeat(1_500) } }))
      await clock.sleep(500)
      await client.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } }))
    })
    expect(header).toMatchObject({
      isotherm: 'trace',
      version: 2,
      model: 'adaptive',
      throttle: true,
      setup: [],
    })
    expect(requests.map(({ number, at, operation, outcome }) => [number, at, operation, outcome])).toEqual([
      [0, 0, 'CreateTable', 'ok'],
      [1, 2_000, 'PutItem', 'ok'],
      [2, 2_500, 'GetItem', 'ok'],
    ])
    const resource = 'arn:aws:dynamodb:us-east-1:000000000000:table/things'
    expect(requests[1].takes).toEqual([{ resource, kind: 'write', partition: 0, units: 2 }])
    expect(requests[2].takes).toEqual([{ resource, kind: 'read', partition: 0, units: 0.5 }])
    expect(requests[1].request.Item.id).toEqual({ S: 'a' })
  })

  it("holds the engine's settings, including infinite ones", async () => {
    const { header } = await traceOf(async () => {}, {
      capacity: { heatSeconds: 20 },
      propagation: { indexQueueUnits: 7 },
      controlPlaneDelays: 'real',
      controlPlaneLimits: { changesAtOnce: 3 },
      transactionMilliseconds: 40,
    })
    expect(header.settings).toMatchObject({
      capacity: { model: 'adaptive', heatSeconds: 20, tableBurstSeconds: 300 },
      propagation: { indexQueueUnits: 7, indexLagMilliseconds: 0 },
      delays: { createTable: 6_000 },
      controlPlaneLimits: { changesAtOnce: 3, changingRequestsPerSecond: 'unbounded' },
      transactionMilliseconds: 40,
    })
  })

  it('holds where a request, and each member of a batch, was throttled', async () => {
    const { requests } = await traceOf(async (client) => {
      await client.send(TABLE)
      await client.send(put('a', { text: { S: 'x'.repeat(300_000) } }))
      await client.send(put('b')).catch(() => {})
      const members = ['c', 'd'].map((id) => ({ PutRequest: { Item: { id: { S: id } } } }))
      await client.send(new BatchWriteItemCommand({ RequestItems: { things: members } })).catch(() => {})
    })
    const [, , refused, batch] = requests
    expect(refused).toMatchObject({ outcome: 'ProvisionedThroughputExceededException', takes: [] })
    expect(refused.refusals).toHaveLength(1)
    expect(refused.refusals[0][0]).toMatchObject({
      partition: 0,
      reason: 'TableWriteProvisionedThroughputExceeded',
    })
    expect(batch.refusals).toHaveLength(2)
  })

  it('keeps binary values as base64', async () => {
    const { requests } = await traceOf(async (client) => {
      await client.send(TABLE)
      await client.send(
        put('a', { bytes: { B: new Uint8Array([1, 2, 3]) }, more: { B: Buffer.from('abc') } }),
      )
    })
    expect(requests[1].request.Item).toMatchObject({ bytes: { B: 'AQID' }, more: { B: 'YWJj' } })
  })

  it('is readable only by its owner', async () => {
    const { trace } = await traceOf(async () => {})
    expect(statSync(trace).mode & 0o777).toBe(0o600)
  })

  it('does not overwrite a file, and requires an existing folder', async () => {
    const { trace } = await traceOf(async () => {})
    const before = readFileSync(trace, 'utf8')
    expect(() => createLocal({ trace })).toThrow(/exists already/)
    expect(readFileSync(trace, 'utf8')).toBe(before)
    expect(() => createLocal({ trace: join(folder, 'no', 'place') })).toThrow(/cannot be made \(ENOENT\)/)
  })

  it('begins with the existing tables', async () => {
    const data = join(folder, 'data')
    const first = createLocal({ data })
    await first.client().send(TABLE)
    await first.client().send(put('a'))
    await first.close()
    const { header } = await traceOf(async () => {}, { data })
    expect(header.items).toBe(1)
    expect(header.setup).toHaveLength(1)
    expect(header.setup[0].request).toMatchObject({
      TableName: 'things',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    })
  })

  it('ends when the engine is reset, and reports it', async () => {
    const told: string[] = []
    const trace = join(folder, 'reset.jsonl')
    const local = createLocal({ trace, onBug: (error) => told.push(String(error)) })
    await local.client().send(TABLE)
    await local.reset()
    await local.client().send(TABLE)
    await local.close()
    expect(readFileSync(trace, 'utf8').trimEnd().split('\n')).toHaveLength(2)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('ends here: everything was removed at once')
  })
})

describe('a file of recorded lines', () => {
  it('accepts all lines of a process that never yields to the event loop', async () => {
    const told: string[] = []
    const path = join(folder, 'busy.jsonl')
    const file = new TraceFile(path, ({ code }) => told.push(code), 12 * 1024 * 1024)
    const line = `${'x'.repeat(1023)}\n`
    for (let turn = 0; turn < 2; turn++) {
      for (let number = 0; number < 20_000; number++) file.write(line)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await file.close()
    await file.close()
    expect(told).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(line.repeat(40_000))
  })

  it('soon holds all lines without being closed', async () => {
    const path = join(folder, 'soon.jsonl')
    const file = new TraceFile(path, () => {})
    file.write('one\n')
    await expect.poll(() => readFileSync(path, 'utf8')).toBe('one\n')
    file.write('two\n')
    await expect.poll(() => readFileSync(path, 'utf8')).toBe('one\ntwo\n')
    await file.close()
  })

  it('ends, once and without an error, when too much waits for the disk', async () => {
    const told: string[] = []
    const path = join(folder, 'slow.jsonl')
    const file = new TraceFile(path, ({ code }) => told.push(code), 100)
    for (let line = 0; line < 50; line++) file.write(`${'x'.repeat(9)}\n`)
    await file.close()
    expect(told).toEqual(['trace.ended'])
    const { length } = readFileSync(path, 'utf8')
    expect(length % 10).toBe(0)
    expect(length).toBeLessThanOrEqual(100)
  })
})

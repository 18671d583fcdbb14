import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'

/** The driver of a change waits for half a minute and more. A process that is kept alive by it exceeds this by far. */
const MOST_SECONDS_AFTER_WORK = 5

/** A script as people write them: it neither destroys the client nor calls `process.exit()`. */
const scriptOf = (table: string, work: string) => `
import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'

const client = createLocal({ throttle: false }).client()
await client.send(new CreateTableCommand({
  TableName: 'log',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  BillingMode: 'PAY_PER_REQUEST',
}))
await ensureShardMap(client, { table: 'log' })
const log = { partitionKey: 'pk', sortKey: 'sk', shards: dynamicShards(), ${table} }
const db = isotherm(client, { tables: { log } })
for (let number = 0; number < 50; number++) {
  const Item = { pk: { S: 'k' }, sk: { S: String(number) } }
  await db.send(new PutItemCommand({ TableName: 'log', Item }))
}
const shards = db.shards('log', 'k')
${work}
process.stdout.write('done\\n')
`

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly secondsAfterWork: number
}

async function run(script: string): Promise<Ended> {
  const child = spawn(process.execPath, ['--input-type=module'], {
    cwd: import.meta.dirname,
    env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  })
  let output = ''
  let doneAt = Number.NaN
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
    if (output.includes('done')) doneAt = performance.now()
  })
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString()
  })
  child.stdin.end(script)
  const [code] = await once(child, 'close')
  return { code, output, secondsAfterWork: (performance.now() - doneAt) / 1_000 }
}

const SHORT_WAITS = "cacheTtl: '500ms', lateRequests: '500ms'"

describe('a script that uses db.shards()', () => {
  it.each([
    ["suffix: 'calculated'", 'console.log((await shards.set(8)).phase)', 'announced'],
    ["suffix: 'random'", 'await shards.set(8); console.log((await shards.set(2)).phase)', 'retired'],
    ["suffix: 'calculated'", 'await shards.set(8); console.log((await shards.resume()).phase)', 'announced'],
  ])(
    'ends when its work ends, %s: %s',
    async (table, work, phase) => {
      const { code, output, secondsAfterWork } = await run(scriptOf(table, work))
      expect(output).toBe(`${phase}\ndone\n`)
      expect(code).toBe(0)
      expect(secondsAfterWork).toBeLessThan(MOST_SECONDS_AFTER_WORK)
    },
    60_000,
  )

  it.each(["suffix: 'calculated'", "suffix: 'random'"])(
    'does not end before the drain that it waits for, %s',
    async (suffix) => {
      const work =
        'await shards.set(8); await shards.drain().catch(() => {}); await shards.drain(); await shards.set(2); console.log(await shards.drain())'
      const { code, output, secondsAfterWork } = await run(scriptOf(`${suffix}, ${SHORT_WAITS}`, work))
      expect(output).toBe('settled\ndone\n')
      expect(code).toBe(0)
      expect(secondsAfterWork).toBeLessThan(MOST_SECONDS_AFTER_WORK)
    },
    120_000,
  )
})

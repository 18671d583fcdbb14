import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'

/** The driver of a change waits for half a minute and more. A process that is kept alive by it exceeds this by far. */
const MOST_SECONDS_AFTER_WORK = 5

/** What a script does with the key of one table. */
interface Work {
  /** Options of the table. */
  readonly table: string
  readonly work: string
}

/** A script as people write them: it neither destroys the client nor calls `process.exit()`. It does its works one after the other. */
const scriptOf = (works: readonly Work[]) => `
import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'

const client = createLocal({ throttle: false }).client()
${works.map(({ table, work }, at) => partOf(`log${at}`, table, work)).join('')}
process.stdout.write('done\\n')
`

const partOf = (name: string, table: string, work: string) => `
{
  await client.send(new CreateTableCommand({
    TableName: '${name}',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    BillingMode: 'PAY_PER_REQUEST',
  }))
  await ensureShardMap(client, { table: '${name}' })
  const ${name} = { partitionKey: 'pk', sortKey: 'sk', shards: dynamicShards(), ${table} }
  const db = isotherm(client, { tables: { ${name} } })
  for (let number = 0; number < 50; number++) {
    const Item = { pk: { S: 'k' }, sk: { S: String(number) } }
    await db.send(new PutItemCommand({ TableName: '${name}', Item }))
  }
  const shards = db.shards('${name}', 'k')
  ${work}
}
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

// Each process loads the library and the engine, so one does the work of all cases.
describe('a script that uses db.shards()', () => {
  it('ends when its work ends', async () => {
    const works = [
      { table: "suffix: 'calculated'", work: 'console.log((await shards.set(8)).phase)' },
      {
        table: "suffix: 'random'",
        work: 'await shards.set(8); console.log((await shards.set(2)).phase)',
      },
      {
        table: "suffix: 'calculated'",
        work: 'await shards.set(8); console.log((await shards.resume()).phase)',
      },
    ]
    const { code, output, secondsAfterWork } = await run(scriptOf(works))
    expect(output).toBe('announced\nretired\nannounced\ndone\n')
    expect(code).toBe(0)
    expect(secondsAfterWork).toBeLessThan(MOST_SECONDS_AFTER_WORK)
  }, 60_000)

  it('does not end before the drains that it waits for', async () => {
    const work =
      'await shards.set(8); await shards.drain().catch(() => {}); await shards.drain(); await shards.set(2); console.log(await shards.drain())'
    const works = ['calculated', 'random'].map((suffix) => ({
      table: `suffix: '${suffix}', ${SHORT_WAITS}`,
      work,
    }))
    const { code, output, secondsAfterWork } = await run(scriptOf(works))
    expect(output).toBe('settled\nsettled\ndone\n')
    expect(code).toBe(0)
    expect(secondsAfterWork).toBeLessThan(MOST_SECONDS_AFTER_WORK)
  }, 120_000)
})

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { IsothermError } from '../errors/isotherm-error.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { isotherm } from './isotherm.js'
import type { ShardedTableOptions } from './options.js'

const PAGE = '../../../../docs/wrong-options.md'
const [BEGIN, END] = ['<!-- wrong options -->', '<!-- /wrong options -->']

type Options = Partial<ShardedTableOptions> & Pick<ShardedTableOptions, 'suffix' | 'shards'>

interface Mistake {
  readonly name: string
  /** How the items were stored. */
  readonly before: Options
  /** What a new process says. */
  readonly after: object
  readonly table?: string
  /** The key of the table that the new process uses, if it is another one. */
  readonly key?: readonly [string, string?]
  readonly isEmpty?: boolean
}

const random = (shards: ShardedTableOptions['shards']): Options => ({ suffix: 'random', shards })
const calculated = (shards: ShardedTableOptions['shards']): Options => ({ suffix: 'calculated', shards })
const KEYS = { partitionKey: 'pk', sortKey: 'sk' } as const

const MISTAKES: readonly Mistake[] = [
  {
    name: '`fixedShards(4)` becomes `fixedShards(8)`, calculated',
    before: calculated(fixedShards(4)),
    after: calculated(fixedShards(8)),
  },
  {
    name: '`fixedShards(20)` becomes `fixedShards(10)`, random',
    before: random(fixedShards(20)),
    after: random(fixedShards(10)),
  },
  {
    name: '`fixedShards(10)` becomes `fixedShards(9)`, random',
    before: random(fixedShards(10)),
    after: random(fixedShards(9)),
  },
  {
    name: '`fixedShards(10)` becomes `dynamicShards()`',
    before: random(fixedShards(10)),
    after: random(dynamicShards()),
  },
  {
    name: '`dynamicShards()` with grown keys becomes `fixedShards(4)`',
    before: random(dynamicShards()),
    after: random(fixedShards(4)),
  },
  {
    name: '`initial: 1` becomes `initial: 4`',
    before: random(dynamicShards()),
    after: random(dynamicShards({ initial: 4 })),
  },
  {
    name: "`suffix: 'random'` becomes `'calculated'`, dynamic",
    before: random(dynamicShards()),
    after: calculated(dynamicShards()),
  },
  {
    name: "`suffix: 'random'` becomes `'calculated'`, fixed",
    before: random(fixedShards(10)),
    after: calculated(fixedShards(10)),
  },
  {
    name: 'another `delimiter`, dynamic',
    before: random(dynamicShards()),
    after: { ...random(dynamicShards()), delimiter: '#' },
  },
  {
    name: 'another `delimiter`, fixed',
    before: random(fixedShards(10)),
    after: { ...random(fixedShards(10)), delimiter: '#' },
  },
  {
    name: '`adopt` is forgotten, dynamic',
    before: { ...random(dynamicShards()), adopt: true },
    after: random(dynamicShards()),
  },
  {
    name: '`adopt` is forgotten, fixed',
    before: { ...random(fixedShards(1)), adopt: true },
    after: random(fixedShards(1)),
  },
  {
    name: '`adopt` is added, dynamic',
    before: random(dynamicShards()),
    after: { ...random(dynamicShards()), adopt: true },
  },
  {
    name: '`adopt` is added, fixed',
    before: random(fixedShards(10)),
    after: { ...random(fixedShards(10)), adopt: true },
  },
  {
    name: '`sortKey` is forgotten, random',
    before: random(fixedShards(4)),
    after: { ...random(fixedShards(4)), sortKey: undefined },
  },
  {
    name: '`sortKey` is forgotten, calculated',
    before: calculated(fixedShards(4)),
    after: { ...calculated(fixedShards(4)), sortKey: undefined },
  },
  {
    name: '`sortKey` is misspelt, dynamic',
    before: random(dynamicShards()),
    after: { ...random(dynamicShards()), sortKey: 'sl' },
    isEmpty: true,
  },
  {
    name: '`sortKey` is misspelt, fixed',
    before: random(fixedShards(4)),
    after: { ...random(fixedShards(4)), sortKey: 'sl' },
  },
  {
    name: 'a random suffix in a table without a sort key',
    before: random(dynamicShards()),
    after: { ...random(dynamicShards()), sortKey: undefined },
    table: 'other',
    key: ['pk'],
  },
  {
    name: 'a numeric partition key',
    before: random(dynamicShards()),
    after: random(dynamicShards()),
    table: 'other',
    key: ['pk:N', 'sk:N'],
  },
  {
    name: 'a table that does not exist, dynamic',
    before: random(dynamicShards()),
    after: random(dynamicShards()),
    table: 'lgo',
  },
  {
    name: 'a table that does not exist, fixed',
    before: random(fixedShards(4)),
    after: random(fixedShards(4)),
    table: 'lgo',
  },
  {
    name: '`dynamicShards(10)`',
    before: random(dynamicShards()),
    after: {
      suffix: 'random',
      get shards() {
        return dynamicShards(10 as never)
      },
    },
  },
  {
    name: 'two processes begin with `fixedShards(4)` and `fixedShards(8)` on an empty table, a minute later',
    before: calculated(fixedShards(4)),
    after: calculated(fixedShards(8)),
    isEmpty: true,
  },
]

const put = (TableName: string, sk: number) =>
  new PutItemCommand({ TableName, Item: { pk: { S: 'k' }, sk: { N: String(sk) }, sl: { N: '1' } } })

const get = (TableName: string, sk: number) =>
  new GetItemCommand({ TableName, Key: { pk: { S: 'k' }, sk: { N: String(sk) } } })

/** What the first command of a process says that has made the mistake. */
async function refusalOf(mistake: Mistake): Promise<IsothermError> {
  const engine = await shardedEngine(mistake.before)
  try {
    return await engine.clock.run(() => refused(mistake, engine))
  } finally {
    await engine.close()
  }
}

async function refused({ before, after, table = 'log', key, isEmpty }: Mistake, engine: ShardedEngine) {
  const { client, clock } = engine
  if (key !== undefined) {
    await client.send(createTable(table, key))
    await client.send(createTable(`${table}_shard_map`, ['pk']))
  }
  const writer = engine.process()
  const fill = async () => {
    for (let sk = 0; sk < 40; sk++) await writer.send(put('log', sk))
    if (before.shards.kind === 'dynamic' && table === 'log' && before.adopt !== true)
      await writer.shards('log', 'k').set(5)
  }
  const begins = async (): Promise<unknown> => {
    const random = new SeededRandom(7)
    try {
      const tables = { [table]: { ...KEYS, ...after } as ShardedTableOptions }
      const db = isotherm(client as DynamoDBClient, { tables, clock, random })
      if (isEmpty && table === 'log') {
        // The table has no item yet, so nothing can be wrong.
        await db.send(get(table, 1))
        await fill()
        await clock.sleep(60_000)
      }
      return await db.send(put(table, 1)).then(() => 'nothing was refused')
    } catch (error) {
      return error
    }
  }
  if (!isEmpty) await fill()
  const written: string[] = []
  watchRequests(client, {
    before: ({ operation, input }) => {
      if (/^(Put|Update|Delete|Batch|Transact)/.test(operation)) written.push(String(input.TableName))
    },
  })
  const outcome = await begins()
  if (!(outcome instanceof IsothermError)) throw outcome
  if (!isEmpty) expect(written).toEqual([])
  return outcome
}

it('every wrong option is refused before the first write, as docs/wrong-options.md says', async () => {
  const rows: string[] = []
  for (const mistake of MISTAKES) {
    const { code, message } = await refusalOf(mistake)
    rows.push(`| ${mistake.name} | \`${code}\` | ${message.replaceAll('|', '\\|')} |`)
  }
  const table = ['| mistake | code | message |', '|---|---|---|', ...rows].join('\n')
  const path = fileURLToPath(new URL(PAGE, import.meta.url))
  const page = readFileSync(path, 'utf8')
  const [head = '', rest = ''] = page.split(BEGIN)
  const tail = rest.slice(rest.indexOf(END))
  expect(tail).not.toBe('')
  await expect(`${head}${BEGIN}\n\n${table}\n\n${tail}`).toMatchFileSnapshot(path)
})

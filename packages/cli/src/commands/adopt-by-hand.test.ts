import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const local = createLocal()
let endpoint = ''
// Modules there find the package `isotherm`.
const cache = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url))
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'schemes-'))

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  for (const table of ['votes', 'empty']) await client.send(createTable(table, ['campaign', 'voted_at']))
  for (let n = 0; n < 40; n++) {
    const voted_at = `time ${n}`
    const shard =
      (BigInt(`0x${createHash('md5').update(`Campaign#101${voted_at}`).digest('hex')}`) % 10n) + 1n
    const Item = { campaign: { S: `Campaign#101#${shard}` }, voted_at: { S: voted_at } }
    await client.send(new PutItemCommand({ TableName: 'votes', Item }))
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await local.close()
})

/** The options as a user's module, with the expression of the shard. */
function optionsFile(name: string, shard: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `import { createHash } from 'node:crypto'
import { fixedShards, handMade } from 'isotherm'

const md5 = (text) => BigInt('0x' + createHash('md5').update(text).digest('hex'))

export default {
  partitionKey: 'campaign',
  sortKey: 'voted_at',
  suffix: handMade({
    name: 'votes by hand',
    delimiter: '#',
    shardOf: ({ partitionKey, sortKey }) => ${shard},
  }),
  shards: fixedShards(10),
}
`,
  )
  return file
}

const adopt = (...args: readonly string[]) => isotherm('adopt', '--check', ...args, '--endpoint', endpoint)

describe('isotherm adopt --check --options', () => {
  const right = optionsFile('right', 'md5(partitionKey + sortKey) % 10n + 1n')

  it('exits with 0 if every item is found where it is', async () => {
    const { code, out, err } = await adopt('--table', 'votes', '--options', right)
    expect(err).toBe('')
    expect(out).toContain('votes with the scheme votes by hand can be adopted.')
    expect(out).toMatch(/40 of 40 sampled items were found where they are, in \d+ of 10 shards\./)
    expect(code).toBe(0)
  })

  it('samples as many items as asked for', async () => {
    const { out } = await adopt('--table', 'votes', '--options', right, '--items', '10', '--json')
    expect(JSON.parse(out)).toMatchObject({ fits: true, items: 10, found: 10, scheme: 'votes by hand' })
  })

  it('exits with 1 and lists items that are elsewhere', async () => {
    const wrong = optionsFile('wrong', 'md5(sortKey) % 10n + 1n')
    const { code, out } = await adopt('--table', 'votes', '--options', wrong)
    expect(out).toContain('cannot be adopted')
    expect(out).toMatch(
      /"Campaign#101#\d+" \(sort key "time \d+"\) would be looked for in "Campaign#101#\d+"/,
    )
    expect(out).toMatch(/and \d+ more/)
    expect(code).toBe(1)
  })

  it('shows what a function did that it must not', async () => {
    const wrong = optionsFile('outside', 'md5(sortKey) % 10n + 100n')
    const { code, out } = await adopt('--table', 'votes', '--options', wrong)
    expect(out).toMatch(/shardOf of handMade "votes by hand" returned 10\d .* a whole number from 1 to 10/)
    expect(code).toBe(1)
  })

  it('does not call an empty table adoptable', async () => {
    const { code, out } = await adopt('--table', 'empty', '--options', right)
    expect(out).toContain('nothing was checked')
    expect(code).toBe(1)
  })

  it.each([
    [
      'a module that is not there',
      ['--options', join(folder, 'none.mjs')],
      /none\.mjs', which cannot be loaded: there is no such file\.$/m,
      1,
    ],
    [
      'a delimiter beside the options',
      ['--options', right, '--delimiter', '#'],
      /--delimiter cannot be used/,
      2,
    ],
    ['a number of items without options', ['--items', '10'], /--items has no effect without --options/, 2],
  ] as const)('says in one sentence that it got %s', async (_what, args, message, exitCode) => {
    const { code, err } = await adopt('--table', 'votes', ...args)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(exitCode)
  })
})

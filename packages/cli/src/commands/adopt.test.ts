import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { dynamicShards, ensureShardMap, isotherm as sharded } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm, isothermInTerminal } from '../isotherm.fixture.js'

const local = createLocal()
let endpoint = ''

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  for (const [TableName, keys] of [
    ['clean', ['a', 'b_c']],
    ['colliding', ['a', 'a_2']],
    ['reserved', ['a', 'isotherm:a']],
  ] as const) {
    await client.send(createTable(TableName, ['pk', 'sk']))
    for (const key of keys) {
      const Item = { pk: { S: key }, sk: { S: '1' } }
      await client.send(new PutItemCommand({ TableName, Item }))
    }
  }
  await client.send(createTable('keys_alone', ['pk']))
})
afterAll(() => local.close())

const adopt = (...args: readonly string[]) => isotherm('adopt', ...args)

/** A table that the library has written an item to. */
async function shardedTable(
  table: string,
  options: { readonly adopt?: boolean; readonly delimiter?: string },
) {
  const client = local.client()
  await client.send(createTable(table, ['pk', 'sk']))
  await ensureShardMap(client, { table })
  const keys = { partitionKey: 'pk', sortKey: 'sk', suffix: 'random' } as const
  const db = sharded(client, { tables: { [table]: { ...keys, shards: dynamicShards(), ...options } } })
  await db.send(new PutItemCommand({ TableName: table, Item: { pk: { S: 'a' }, sk: { S: '1' } } }))
  return db
}

describe('isotherm adopt --check', () => {
  it('exits with 0 for a table that can be adopted', async () => {
    const { code, out } = await adopt('--table', 'clean', '--endpoint', endpoint)
    expect(await adopt('--check', '--table', 'clean', '--endpoint', endpoint)).toMatchObject({ code, out })
    expect((await adopt('--help')).out).toMatch(/--check +check the table; adopt does nothing else/)
    expect(out).toContain('clean can be adopted with the delimiter _.')
    expect(out).toContain('2 items under 2 partition keys')
    expect(code).toBe(0)
  })

  it('exits with 1 for a table with keys that look suffixed, names them, and says which delimiter is free', async () => {
    const { code, out } = await adopt('--check', '--table', 'colliding', '--endpoint', endpoint)
    expect(out).toContain('colliding cannot be adopted with the delimiter _.')
    expect(out).toContain('"a_2" looks like a shard of "a"; "a" is there')
    expect(out).toContain('No key contains #: take it as delimiter.')
    expect(code).toBe(1)
    const again = await adopt('--check', '--table', 'colliding', '--delimiter', '#', '--endpoint', endpoint)
    expect(again.code).toBe(0)
  })

  it('names keys that the shard map has for itself', async () => {
    const { code, out } = await adopt('--table', 'reserved', '--endpoint', endpoint)
    expect(out).toContain('reserved cannot be adopted')
    expect(out).toContain('1 key begins with isotherm: and would be refused with dynamicShards')
    expect(code).toBe(1)
  })

  it('refuses a table whose keys all have suffixes, before it reads them', async () => {
    await shardedTable('suffixed', {})
    const { code, err } = await adopt('--table', 'suffixed', '--endpoint', endpoint)
    expect(err).toBe(
      'isotherm: suffixed cannot be adopted: it is sharded already, without adopt: true, as its card in suffixed_shard_map says. Each of its keys has a suffix. Leave its options as they are.\n',
    )
    expect(code).toBe(1)
  })

  it('checks a table that is adopted already, and does not advise another delimiter', async () => {
    const db = await shardedTable('adopted', { adopt: true })
    await db.shards('adopted', 'a').set(4)
    const Item = { pk: { S: 'b_2' }, sk: { S: '1' } }
    await local.client().send(new PutItemCommand({ TableName: 'adopted', Item }))
    const { code, out } = await adopt('--table', 'adopted', '--endpoint', endpoint)
    expect(out).toContain('"b_2" looks like a shard of "b"')
    expect(out).toMatch(
      /^adopted is adopted already with the delimiter _, as its card in adopted_shard_map says\.\n/,
    )
    expect(out).toContain('Stored keys of its shards are listed, too. Its delimiter must stay as it is.')
    expect(out).not.toContain('cannot be adopted')
    expect(out).not.toContain('take it as delimiter')
    expect(code).toBe(1)
    const json = JSON.parse((await adopt('--table', 'adopted', '--endpoint', endpoint, '--json')).out)
    expect(json).toMatchObject({ isAdopted: true, isAdoptable: false, delimiter: '_' })
    expect(json).not.toHaveProperty('suggestedDelimiter')
  })

  it('checks a table that is adopted already with the delimiter that it has', async () => {
    await shardedTable('adopted_hash', { adopt: true, delimiter: '#' })
    const Item = { pk: { S: 'b_2' }, sk: { S: '1' } }
    await local.client().send(new PutItemCommand({ TableName: 'adopted_hash', Item }))
    const { code, out } = await adopt('--table', 'adopted_hash', '--endpoint', endpoint)
    expect(out).toMatch(
      /^adopted_hash is adopted already with the delimiter #, as its card in adopted_hash_shard_map says\.\n/,
    )
    expect(out).not.toContain('b_2')
    expect(code).toBe(0)
    const other = await adopt('--table', 'adopted_hash', '--delimiter', '_', '--endpoint', endpoint)
    expect(other).toEqual({
      code: 2,
      out: '',
      err: "isotherm: --delimiter is '_'; adopted_hash is adopted already with the delimiter '#', which must stay as it is. Leave out --delimiter.\n",
    })
  })

  it('prints one line of JSON', async () => {
    const { code, out } = await adopt('--check', '--table', 'colliding', '--endpoint', endpoint, '--json')
    expect(JSON.parse(out)).toMatchObject({
      isAdoptable: false,
      ambiguousKeys: 1,
      ambiguousExamples: [{ key: 'a_2', shorter: 'a', hasShorter: true }],
    })
    expect(code).toBe(1)
  })

  it('states the price of the check, alone with --dry-run, and before it begins in a terminal', async () => {
    const price = 'clean: about 2 items to read, 0.5 read units and 1 s.\n'
    const args = ['--table', 'clean', '--endpoint', endpoint]
    expect(await adopt('--dry-run', ...args)).toEqual({ code: 0, out: price, err: '' })
    const json = JSON.parse((await adopt('--dry-run', '--json', ...args)).out)
    expect(json).toEqual({ table: 'clean', items: 2, readUnits: 0.5, seconds: 1 })
    const { err } = await isothermInTerminal('adopt', ...args)
    expect(err.startsWith(price)).toBe(true)
    expect(err).toContain('2 of about 2 items')
  })

  it('goes on where a check was ended', async () => {
    const start = ['--start', JSON.stringify({ pk: { S: 'a_2' }, sk: { S: '1' } })]
    const { out } = await adopt('--check', '--table', 'colliding', '--endpoint', endpoint, '--json', ...start)
    expect(JSON.parse(out).items).toBeLessThan(2)
  })

  it.each([
    [
      'of a table that is not there',
      ['--check', '--table', 'none'],
      /could not be checked: ResourceNotFound/,
      1,
    ],
    ['without a sort key', ['--table', 'keys_alone'], /keys_alone cannot be adopted: it has no sort key/, 1],
    [
      'without a sort key, before the price',
      ['--table', 'keys_alone', '--dry-run'],
      /keys_alone cannot be adopted: it has no sort key/,
      1,
    ],
    [
      'of another key',
      ['--check', '--table', 'clean', '--partition-key', 'id'],
      /the partition key of clean is pk/,
      2,
    ],
    [
      'with a digit in the delimiter',
      ['--check', '--table', 'clean', '--delimiter', '_1'],
      /without digits/,
      2,
    ],
    ['from what is no key', ['--check', '--table', 'clean', '--start', '7'], /must be the JSON of a key/, 2],
  ] as const)('says in one sentence what is wrong %s', async (_what, args, message, exitCode) => {
    const { code, err } = await adopt(...args, '--endpoint', endpoint)
    expect(err).toMatch(message)
    // The price comes before the work.
    const sentences = err
      .trimEnd()
      .split('\n')
      .filter((line) => !/ items to read, .* units and \d+ s\.$/.test(line))
    expect(sentences).toHaveLength(1)
    expect(code).toBe(exitCode)
  })
})

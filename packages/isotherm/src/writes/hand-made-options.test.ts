import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { handSharded, MD5, type Scheme } from '../../test/hand-sharded.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'
import { handMade } from './hand-made.js'

const CAMPAIGN = 'Campaign#101'
const at = (time: string) => ({ campaign: CAMPAIGN, voted_at: time })

async function withTable(
  scheme: Scheme,
  test: (table: Awaited<ReturnType<typeof handSharded>>) => Promise<void>,
) {
  const table = await handSharded(scheme)
  await table.clock.run(() => test(table))
  await table.close()
}

describe('the functions of a table sharded by hand', () => {
  it.each([
    ['a shard beyond the last', () => 11, /returned 11 .* from 1 to 10/],
    ['a shard before the first', () => 0, /returned 0 .* from 1 to 10/],
    ['a part of a shard', () => 1.5, /returned 1\.5/],
    ['nothing', () => undefined, /returned undefined/],
    ['a promise', () => Promise.resolve(1), /returned a promise/],
    [
      'an error',
      () => {
        throw new Error('no time')
      },
      /threw Error: no time/,
    ],
  ])(
    'rejects a placement function that returns %s, before anything is sent',
    async (_what, shardOf, message) => {
      const options = { ...MD5.options, shardOf } as unknown as Scheme['options']
      await withTable({ ...MD5, options }, async ({ db }) => {
        await expect(
          db.send(new PutCommand({ TableName: 'votes', Item: { ...at('x') } })),
        ).rejects.toMatchObject({
          code: 'scheme.placement',
          message: expect.stringMatching(message),
          details: expect.objectContaining({ scheme: 'votes', logicalKey: CAMPAIGN }),
        })
      })
    },
  )

  it.each([
    ['forget the shard', { format: (key: string) => key, parse: (key: string) => ({ key, shard: 1 }) }],
    [
      'are not each other’s inverse',
      {
        format: (key: string, shard: number) => `${key}.${shard}`,
        parse: (stored: string) => ({ key: stored.split('.')[0] ?? '', shard: 1 }),
      },
    ],
    ['return no text', { format: () => '', parse: () => undefined }],
  ])('rejects functions for names that %s', async (_what, functions) => {
    const options = { name: 'votes', shardOf: () => 5, ...functions }
    const table = await handSharded({ ...MD5, options }, { checkItems: false })
    await table.clock.run(async () => {
      const sent = table.db.send(
        new PutCommand({ TableName: 'votes', Item: { ...at('x'), campaign: 'a.b' } }),
      )
      await expect(sent).rejects.toMatchObject({
        code: expect.stringMatching(/scheme\.names|key\.ambiguous/),
      })
    })
    await table.close()
  })
})

describe('the options of a table sharded by hand', () => {
  const given = (options: object) => () => handMade({ ...MD5.options, ...options } as Scheme['options'])

  it.each([
    ['no name', given({ name: '' }), 'handMade.name'],
    ['no placement', given({ shardOf: undefined }), 'handMade.shardOf'],
    ['no delimiter', given({ delimiter: undefined }), 'handMade.delimiter'],
    ['half a character', given({ delimiter: '\ud83d' }), 'handMade.delimiter'],
    ['an unknown position', given({ position: 'middle' }), 'handMade.position'],
    ['a negative first number', given({ first: -1 }), 'handMade.first'],
    ['no digits', given({ digits: 0 }), 'handMade.digits'],
    ['labels and numbers', given({ labels: ['a'], first: 0 }), 'handMade.labels'],
    ['labels that are numbers', given({ labels: [1, 2] }), 'handMade.labels'],
    ['one function of two', given({ delimiter: undefined, format: () => 'x' }), 'handMade.parse'],
    ['functions and a delimiter', given({ format: () => 'x', parse: () => undefined }), 'handMade.delimiter'],
  ])('cannot have %s', (_what, make, option) => {
    expect(make).toThrow(
      expect.objectContaining({ code: 'options.invalid', details: expect.objectContaining({ option }) }),
    )
  })

  it.each([
    ['dynamicShards', { shards: dynamicShards({ initial: 10 }) }, /fixedShards\(n\)/],
    ['a count from a function', { shards: fixedShards(() => 10) }, /fixedShards\(n\)/],
    ['adopt', { adopt: true }, /adopt/],
    ['a delimiter of the table', { delimiter: '#' }, /handMade\(\{ delimiter \}\)/],
    ['a shard that is calculated without a sort key', { sortKey: '' as string }, /sortKey/],
    [
      'other labels than shards',
      { suffix: handMade({ ...MD5.options, labels: ['a', 'b'] } as Scheme['options']) },
      /10 labels/,
    ],
    [
      'names that are of two shards',
      { suffix: handMade({ name: 'x', delimiter: '', position: 'prefix', shardOf: 'random' }) },
      /10 begins with 1\. Set digits/,
    ],
  ])('are rejected with %s', async (_what, changes, message) => {
    await expect(handSharded(MD5, changes)).rejects.toMatchObject({
      code: 'options.invalid',
      message: expect.stringMatching(message),
    })
  })
})

import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { KEY, movingTable } from '../../../test/moving-table.js'
import { scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { MoveSender } from '../../attempts/move-sender.js'
import { dynamicShards } from '../../scaling/shards.js'
import { resize } from '../states/random-count.js'
import { firstState } from '../states/shard-state.js'
import { viewOf } from '../states/shard-view.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import { moveItem } from './move-item.js'
import { newMoveName } from './move-name.js'

describe('an item that a pass finds marked', () => {
  it('is read and not marked again, which a full partition would charge', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards(), transactions: false })
    const { client, clock } = engine
    const db = engine.process()
    let marks = 0
    client.middlewareStack.add(
      (next) => (args) => {
        if (
          (args.input as { TableName?: string; UpdateExpression?: string }).UpdateExpression?.includes(
            'moving',
          )
        )
          marks += 1
        return next(args)
      },
      { step: 'initialize', name: 'count-marks' },
    )
    await clock.run(async () => {
      const shards = db.shards('log', 'k')
      await shards.set(2)
      const item = (sk: number) => ({ pk: { S: 'k_2' }, sk: { N: String(sk) } })
      const mark = { [MOVE_ATTRIBUTES.moving]: { S: newMoveName(new SeededRandom(7), 1).text } }
      await client.send(new PutItemCommand({ TableName: 'log', Item: { ...item(1), ...mark } }))
      await client.send(new PutItemCommand({ TableName: 'log', Item: item(2) }))
      await shards.set(1)
      expect(await shards.drain()).toBe('settled')
      const items = await scanned(client, 'log')
      expect(items.map(({ pk, sk }) => `${pk?.S} ${sk?.N}`).sort()).toEqual(['k_1 1', 'k_1 2'])
    })
    expect(marks).toBe(1)
    db.destroy()
    await engine.close()
  })
})

describe.each([
  ['of another process', 'UpdateItemCommand'],
  ['of this process, whose response was lost', undefined],
])(
  'an item with a mark %s, on an engine that does not return the item of a refused condition',
  (_whose, other) => {
    it('leaves its shard all the same', async () => {
      const view = viewOf(resize(firstState(6, 100), 3, 200), Number.POSITIVE_INFINITY)
      const { table, clock, put, copies, client, close } = await movingTable({
        suffix: 'random',
        transactions: true,
        view,
      })
      const item = await put(5, { text: { S: 'one' } })
      let isMarked = false
      const send = async (command: { constructor: { name: string } }, options?: unknown) => {
        if (command.constructor.name === 'UpdateItemCommand' && !isMarked) {
          isMarked = true
          if (other === undefined) await client.send(command as never)
          else await put(5, { ...item, [MOVE_ATTRIBUTES.moving]: { S: '2:7' } })
        }
        return client.send(command as never, options as never).catch((error: { Item?: unknown }) => {
          delete error.Item
          throw error
        })
      }
      const without = { ...table, client: Object.create(client, { send: { value: send } }) }
      const sender = new MoveSender(without, { maxAttempts: 3, pace: undefined, signal: undefined })
      const currentView = async () => view
      const leaving = { key: KEY, source: 5, isMarked: false, discards: false, currentView }
      expect(await clock.run(() => moveItem(without, sender, leaving))).toBe('moved')
      expect((await copies()).map(({ shard }) => Number(shard?.N) <= 3)).toEqual([true])
      await close()
    })
  },
)

describe.each([
  ['with transactions', true, 'TransactWriteItemsCommand'],
  ['without transactions', false, 'DeleteItemCommand'],
])('an item that a late write replaces after it was marked, %s', (_how, transactions, last) => {
  it.each([
    ['the same', { text: { S: 'one' } }, 1],
    ['another', { text: { S: 'another' } }, transactions ? 1 : 2],
  ])('leaves its shard all the same, if it is then %s', async (_which, late, items) => {
    const view = viewOf(resize(firstState(6, 100), 3, 200), Number.POSITIVE_INFINITY)
    const { table, sender, clock, put, copies, meddle, close } = await movingTable({
      suffix: 'random',
      transactions,
      view,
    })
    await put(5, { text: { S: 'one' } })
    let isReplaced = false
    meddle(async (command) => {
      if (command !== last || isReplaced) return
      isReplaced = true
      await put(5, late)
    })
    const currentView = async () => view
    const leaving = { key: KEY, source: 5, isMarked: false, discards: false, currentView }
    expect(await clock.run(() => moveItem(table, sender, leaving))).toBe('moved')
    const found = await copies()
    expect(isReplaced).toBe(true)
    expect(found).toHaveLength(items)
    expect(found.filter(({ shard }) => Number(shard?.N) > 3)).toEqual([])
    expect(found.map(({ text }) => text)).toContainEqual(late.text)
    await close()
  })
})

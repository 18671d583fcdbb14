import { type TransactGetItem, TransactGetItemsCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { transactingTable } from '../../test/transacting-table.js'
import { placementIn } from '../protocol/placement/placement-in.js'
import { announce, move } from '../protocol/states/calculated-count.js'
import { firstState } from '../protocol/states/shard-state.js'
import { fixedView, viewOf } from '../protocol/states/shard-view.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import { transactGetItems } from './transact-get-items.js'

const SHARDS = 3
const Key = { pk: { S: 'k' }, sk: { S: '1' } }
const of = (TableName: string, key: object = Key): TransactGetItem => ({
  Get: { TableName, Key: key as typeof Key },
})
const ITEM = { Item: { ...Key, text: { S: 'x'.repeat(5_000) } } }

/** Reads an item of the table `log`, and one of an unsharded table, and returns what the heat records of it. */
async function recorded(suffix: 'random' | 'calculated', answer: Answer, view = fixedView(SHARDS)) {
  const { client } = new ScriptedClient(answer)
  const { table, heat } = transactingTable({ suffix, view, client: client as never })
  const input = { TransactItems: [of('plain'), of('log')] }
  const command = new TransactGetItemsCommand(input)
  const request = { input: command.input as never, present: undefined, carryMiddleware: () => {} }
  const tables = new TablesByName(client, [table])
  await transactGetItems({ table, tables, request, options: undefined }).catch(() => {})
  const home = placementIn(table).home(view, { logical: Key.pk as never, sort: Key.sk })
  return { heat, home }
}

const cancelled = (...codes: readonly string[]) =>
  serviceError('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) })
const BY_ITEM = { by: 'item', item: Key.sk }

describe('the heat of a read in a transaction', () => {
  it('of one shard is what its item costs twice, and more shards would spread such reads', async () => {
    const { heat } = await recorded('calculated', answerWith({ Responses: [{}, ITEM] }))
    expect(heat).toEqual([{ answered: Key.pk, units: 4, shards: 1, wasThrottled: false, spread: BY_ITEM }])
  })

  it('of every shard is that of all of them, and more shards would only make it dearer', async () => {
    const { heat } = await recorded('random', answerWith({ Responses: [{}, {}, ITEM, {}] }))
    expect(heat).toEqual([{ answered: Key.pk, units: 8, shards: SHARDS, wasThrottled: false }])
  })

  it('is not spread by more shards where they all have to be read', async () => {
    const alone = await recorded('random', answerWith({ Responses: [{}, ITEM] }), fixedView(1))
    expect(alone.heat).toEqual([{ answered: Key.pk, units: 4, shards: 1, wasThrottled: false }])
    const moved = viewOf(move(announce(firstState(1, 1_000), 50, 2_000), 3_000), Number.POSITIVE_INFINITY)
    const moving = await recorded('calculated', answerWith({ Responses: [{}, {}, ITEM] }), moved)
    expect(moving.heat).toEqual([{ answered: Key.pk, units: 6, shards: 2, wasThrottled: false }])
  })

  it('that was refused as a whole is that of each of its shards', async () => {
    const reasons = ['TableReadKeyRangeThroughputExceeded']
    const throttled = serviceError('ThrottlingException', {
      throttlingReasons: reasons.map((reason) => ({ reason })),
    })
    const one = await recorded('calculated', throttled)
    expect(one.heat).toMatchObject([
      { key: Key.pk, shard: one.home, shards: 1, attempt: 1, reasons, spread: BY_ITEM },
    ])
    const all = await recorded('random', throttled)
    expect(all.heat).toMatchObject([{ key: Key.pk, shard: SHARDS, shards: SHARDS, attempt: 1, reasons }])
  })

  it('that was cancelled is that of the shards that were throttled, for which the service has no reasons', async () => {
    const { heat } = await recorded('random', cancelled('None', 'ThrottlingError', 'None', 'ThrottlingError'))
    expect(heat).toMatchObject([{ key: Key.pk, shards: 2, attempt: 1, reasons: [] }])
  })

  it('is none if only another table was throttled', async () => {
    expect((await recorded('random', cancelled('ThrottlingError', 'None', 'None', 'None'))).heat).toEqual([])
  })
})

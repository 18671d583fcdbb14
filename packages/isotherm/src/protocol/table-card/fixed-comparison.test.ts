import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { LOG_ORIGIN, LOG_TABLE } from '../../../test/log-card.js'
import { answerWith } from '../../../test/scripted-client.js'
import type { LogicalKey } from '../../keys/key.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import type { AnyCommand, PhysicalClient } from '../../sdk/physical-client.js'
import { announce } from '../states/calculated-count.js'
import { firstState } from '../states/shard-state.js'
import { toAttributes } from '../stored-state/shard-map-item.js'
import { CARD_ATTRIBUTES, firstCardItem } from './card-item.js'
import { dynamicSettings } from './card-settings.js'
import { fixedCheck } from './fixed-check.js'

const LIKE = { S: 'k' } as LogicalKey

/** The card of a table whose keys began with two shards. */
const card = (more: Record<string, AttributeValue> = {}, listsNone = true) => ({
  ...firstCardItem(dynamicSettings(LOG_TABLE, 2), LOG_ORIGIN, listsNone),
  ...more,
})

/** A table with this card, and with items in two shards. The key of the table is of this type. */
function setUp({
  options = LOG_TABLE,
  Item = {},
  type = 'S',
}: {
  options?: ShardedTable
  Item?: object
  type?: string
}) {
  const clock = new VirtualClock(0)
  const requests: AnyCommand[] = []
  const answers: Readonly<Record<string, object>> = {
    GetItemCommand: Object.keys(Item).length === 0 ? {} : { Item },
    DescribeTableCommand: {
      Table: {
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: type }],
      },
    },
    ScanCommand: { Items: [{ pk: { S: 'k_2' }, sk: { N: '1' } }] },
  }
  const client = {
    send: async (command: AnyCommand) => {
      requests.push(command)
      return answerWith(answers[command.constructor.name])
    },
  } as unknown as PhysicalClient
  const suffix = new Suffix('log', '_', false)
  const check = (count: number) =>
    fixedCheck({ options, client, clock, random: { next: () => 0 }, suffix }, () => count, false)
  return { clock, requests, check, sent: () => requests.splice(0).map((command) => command.constructor.name) }
}

describe('the comparison of a fixed count', () => {
  it('describes the table once, and looks for the card and at the items each time', async () => {
    const { clock, check, sent } = setUp({})
    const compare = check(2)
    await clock.run(async () => {
      await compare(LIKE)
      expect(sent()).toEqual(['GetItemCommand', 'DescribeTableCommand', 'ScanCommand'])
      await clock.sleep(300_000)
      expect(compare(LIKE)).toBeUndefined()
      await clock.sleep(1)
      expect(sent()).toEqual(['GetItemCommand', 'ScanCommand'])
    })
  })

  it('reads the card consistently, and no items beside it', async () => {
    const { check, requests } = setUp({ Item: card() })
    await check(2)(LIKE)
    expect(requests.map(({ input }) => input)).toEqual([
      { TableName: 'map', Key: { pk: { S: 'isotherm:card' } }, ConsistentRead: true },
      { TableName: 'log' },
    ])
  })

  it('believes the options where this version cannot read the card', async () => {
    const { check } = setUp({ Item: card({ [CARD_ATTRIBUTES.format]: { N: '3' } }) })
    await check(2)(LIKE)
  })

  it('is refused by the items, because the count is that of the options', async () => {
    const { check } = setUp({})
    await expect(check(1)(LIKE)).rejects.toMatchObject({
      code: 'items.elsewhere',
      message: expect.stringMatching(/the options say fixedShards\(1\)\. .* Set the count as it was\.$/),
    })
  })

  it('is refused by a partition key that is a number', async () => {
    const { check } = setUp({ type: 'N' })
    await expect(check(2)(LIKE)).rejects.toMatchObject({
      code: 'table.unfit',
      details: { table: 'log', setting: 'partitionKey' },
    })
  })

  const changing = announce(firstState(2, 10), 4, 20)
  const changingCard = { ...toAttributes(changing), [CARD_ATTRIBUTES.format]: { N: '2' } }

  it.each<[string, object, number, string]>([
    ['with another count', card(), 3, '2 shards for each key'],
    [
      'that lists a key',
      card({ [CARD_ATTRIBUTES.keys]: { SS: ['k'] } }),
      2,
      'counts of their own for some keys',
    ],
    ['that lists all keys', card({}, false), 2, 'counts of their own for some keys'],
    ['that is being migrated', card(changingCard), 2, 'counts of their own for some keys'],
  ])('is refused by a card %s', async (_what, Item, count, stored) => {
    await expect(setUp({ Item }).check(count)(LIKE)).rejects.toMatchObject({
      code: 'card.differs',
      message: expect.stringContaining(
        `log has dynamicShards with ${stored}, and this process has fixedShards(${count}).`,
      ),
      details: {
        table: 'log',
        setting: 'shards',
        stored: 'dynamicShards',
        given: `fixedShards(${count})`,
      },
    })
  })
})

describe('a table without a sort key', () => {
  const withoutSortKey = { ...LOG_TABLE, sortKey: undefined }

  it('is refused with a random suffix', async () => {
    await expect(setUp({ options: withoutSortKey }).check(2)(LIKE)).rejects.toMatchObject({
      code: 'table.unfit',
      details: { table: 'log', setting: 'suffix' },
    })
  })

  it.each<[string, ShardedTable]>([
    ['with a calculated suffix', { ...withoutSortKey, suffix: { kind: 'calculated', from: ['pk'] } }],
    ['that was sharded by hand', { ...withoutSortKey, handMade: { name: 'votes' } }],
  ])('is compared with what is stored %s', async (_what, options) => {
    const refused = { code: 'table.differs', details: { setting: 'sortKey', found: 'sk' } }
    await expect(setUp({ options }).check(2)(LIKE)).rejects.toMatchObject(refused)
  })
})

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { LOG_ORIGIN, LOG_TABLE } from '../../../test/log-card.js'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { calculated } from '../../writes/calculated.js'
import { announce } from '../states/calculated-count.js'
import { firstState } from '../states/shard-state.js'
import { toAttributes } from '../stored-state/shard-map-item.js'
import { CARD_ATTRIBUTES, cardOf, firstCardItem, readSettings, settingsAttribute } from './card-item.js'
import { lostCard, newOrigin, requireOwn, whyLost } from './card-origin.js'
import { dynamicSettings, keySettings, requireSame } from './card-settings.js'
import { isListed } from './table-card.js'

const SETTINGS = { partitionKey: 'pk', initial: '2' }
const ITEM = firstCardItem(SETTINGS, LOG_ORIGIN, true)
const card = (attributes: Record<string, AttributeValue | undefined> = {}) =>
  cardOf(LOG_TABLE, { ...ITEM, ...attributes } as Record<string, AttributeValue>)

describe('a card', () => {
  it('lists keys of texts and of bytes', () => {
    const bytes = { B: Buffer.from('b') } as unknown as LogicalKey
    const { listed } = card({ [CARD_ATTRIBUTES.keys]: { SS: ['a'] } })
    expect(listed).toEqual(new Set(['a']))
    const ofBytes = card({ [CARD_ATTRIBUTES.keys]: { BS: [Buffer.from('b')] } })
    expect(ofBytes.listed).toEqual(new Set([keyText(bytes)]))
    expect([isListed(ofBytes, bytes), isListed(ofBytes, { S: 'a' } as LogicalKey)]).toEqual([true, false])
  })

  it('lists all keys if it says so', () => {
    const all = card({ [CARD_ATTRIBUTES.all]: { BOOL: true } })
    expect(all.listed).toBe('all')
    expect(isListed(all, { S: 'any' } as LogicalKey)).toBe(true)
    expect(card({ [CARD_ATTRIBUTES.all]: { BOOL: false } }).listed).toEqual(new Set())
  })

  it('has the initial count of its settings, or a state of its own', () => {
    expect(card().initial).toEqual(firstState(2, 0))
    const state = announce(firstState(2, 10), 4, 20)
    const stored = { ...toAttributes(state), [CARD_ATTRIBUTES.format]: { N: '2' } }
    expect(card(stored).initial).toEqual(state)
  })

  it('is being migrated to a count, from a position on', () => {
    const position = { pk: { S: 'k_1' } }
    expect(card().migration).toBeUndefined()
    expect(card({ [CARD_ATTRIBUTES.migratingTo]: { N: '4' } }).migration).toEqual({
      to: 4,
      position: undefined,
    })
    const begun = {
      [CARD_ATTRIBUTES.migratingTo]: { N: '4' },
      [CARD_ATTRIBUTES.migratedKey]: { M: position },
    }
    expect(card(begun).migration).toEqual({ to: 4, position })
  })

  it('of an earlier version has no version, and no origin', () => {
    const old = card({
      [CARD_ATTRIBUTES.version]: undefined,
      [CARD_ATTRIBUTES.made]: undefined,
      [CARD_ATTRIBUTES.table]: undefined,
      [CARD_ATTRIBUTES.shardMap]: undefined,
    })
    expect(old).toMatchObject({ version: 0, made: undefined, table: undefined, shardMap: undefined })
  })

  it('knows which initial counts are accepted, and whether it was rebuilt', () => {
    expect(card()).toMatchObject({ acceptedInitials: new Set(), isRebuilt: undefined })
    const rebuilt = {
      [CARD_ATTRIBUTES.acceptedInitials]: { SS: ['1', '2'] },
      [CARD_ATTRIBUTES.rebuilt]: { BOOL: true },
    }
    expect(card(rebuilt)).toMatchObject({ acceptedInitials: new Set(['1', '2']), isRebuilt: true })
  })

  it('that is being rebuilt is lost', () => {
    expect(() => card({ [CARD_ATTRIBUTES.rebuilding]: { S: '7:name' } })).toThrow(
      expect.objectContaining({
        code: 'card.lost',
        details: { table: 'log', shardMap: 'map', reason: 'rebuilding' },
        message: expect.stringContaining('The card of log in the shard map map is being rebuilt.'),
      }),
    )
  })

  it.each([
    ['of a later format', { [CARD_ATTRIBUTES.format]: { N: '3' } }, 3],
    ['without a format', { [CARD_ATTRIBUTES.format]: undefined }, Number.NaN],
    ['without settings', { [CARD_ATTRIBUTES.settings]: undefined }, 1],
  ])('%s is refused', (_what, attributes, format) => {
    expect(() => card(attributes)).toThrow(
      expect.objectContaining({ code: 'card.format', details: { table: 'log', format } }),
    )
  })

  it('has settings of texts', () => {
    expect(readSettings(settingsAttribute(SETTINGS))).toEqual(SETTINGS)
    expect(readSettings({ M: { initial: { N: '2' } } })).toEqual({ initial: '' })
    expect(readSettings(undefined)).toBeUndefined()
    expect(card({ [CARD_ATTRIBUTES.settings]: { M: { initial: { N: '2' } } } }).settings).toEqual({
      initial: '',
    })
  })
})

describe('the settings of a table', () => {
  it('are the options that decide where its items are', () => {
    expect(dynamicSettings(LOG_TABLE, 3)).toEqual({
      partitionKey: 'pk',
      sortKey: 'sk',
      suffix: 'random',
      delimiter: '_',
      adopt: 'false',
      shards: 'dynamicShards',
      initial: '3',
    })
    const { sortKey: _without, ...table } = LOG_TABLE
    expect(keySettings(table as ShardedTable)).not.toHaveProperty('sortKey')
  })

  it.each([
    ['its sort key', calculated(), 'calculated from sk'],
    ['attributes', calculated({ from: ['pk', 'id'] }), 'calculated from pk, id'],
    ['a function', { ownPlace: () => 1 }, "calculated by the application's function"],
  ])('name what a suffix is calculated from: %s', (_what, suffix, text) => {
    expect(keySettings({ ...LOG_TABLE, suffix: suffix as ShardedTable['suffix'] }).suffix).toBe(text)
  })

  it('must be the same, but for an initial count that is accepted', () => {
    const none = new Set<string>()
    requireSame(LOG_TABLE, SETTINGS, SETTINGS, none)
    requireSame(LOG_TABLE, SETTINGS, { ...SETTINGS, initial: '4' }, new Set(['4']))
    const differs = (given: object, accepted = none) => {
      expect(() => requireSame(LOG_TABLE, SETTINGS, given as typeof SETTINGS, accepted)).toThrow(
        expect.objectContaining({ code: 'card.differs' }),
      )
    }
    differs({ ...SETTINGS, initial: '4' })
    differs({ ...SETTINGS, initial: '4' }, new Set(['8']))
    // Only initial counts may differ.
    differs({ ...SETTINGS, partitionKey: 'id' }, new Set(['id']))
    differs({ ...SETTINGS, more: 'x' })
    differs({ initial: '2' })
  })

  it.each([
    [{ ...SETTINGS, initial: '4' }, 'isotherm migrate', { setting: 'initial', stored: '2', given: '4' }],
    [
      { ...SETTINGS, delimiter: '#' },
      'Set delimiter as it was',
      { setting: 'delimiter', stored: undefined, given: '#' },
    ],
    [
      { initial: '2' },
      'has partitionKey not set',
      { setting: 'partitionKey', stored: 'pk', given: undefined },
    ],
  ])('that differ are named with their cure: %j', (given, text, details) => {
    expect(() => requireSame(LOG_TABLE, SETTINGS, given as typeof SETTINGS, new Set())).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(text),
        details: { table: 'log', ...details },
      }),
    )
  })
})

describe('the origin of a card', () => {
  const parts = { clock: new VirtualClock(1_000.7), random: new SeededRandom(1) }

  it('is the time and the tables, without the rest of their ARNs', () => {
    const arns = { name: 'arn:aws:dynamodb:eu:1:table/log', shardMap: 'arn:aws:dynamodb:eu:1:table/map' }
    expect(newOrigin(arns, parts)).toEqual({
      made: expect.stringMatching(/^1000:[0-9a-f]{32}$/),
      table: 'log',
      shardMap: 'map',
    })
    requireOwn({ ...LOG_TABLE, ...arns }, LOG_ORIGIN)
  })

  it('is that of this process, or that of an earlier version, which says nothing', () => {
    requireOwn(LOG_TABLE, LOG_ORIGIN)
    requireOwn(LOG_TABLE, {})
    for (const other of [{ table: 'log-copy' }, { shardMap: 'map-copy' }]) {
      expect(() => requireOwn(LOG_TABLE, { ...LOG_ORIGIN, ...other })).toThrow(
        expect.objectContaining({
          code: 'card.foreign',
          details: { table: 'log', shardMap: 'map', stored: { table: 'log', shardMap: 'map', ...other } },
        }),
      )
    }
  })

  it.each([
    ['rebuilding', 'is being rebuilt', 'resume it'],
    ['missing', 'is gone', 'Rebuild it'],
    ['item', 'lists a key whose item is gone', 'Rebuild it'],
    ['older', 'is older', 'Rebuild it'],
    ['replaced', 'was not made by a rebuild', 'Rebuild it'],
  ] as const)('that is lost has a reason and a cure: %s', (reason, why, cure) => {
    const { message, details } = lostCard(LOG_TABLE, reason)
    expect(message).toContain(why)
    expect(message).toContain(cure)
    expect(details).toEqual({ table: 'log', shardMap: 'map', reason })
  })

  const seen = { initial: { lastUpdated: 0 }, made: '1000:a', listed: new Set<string>(), version: 7 }
  const later = { ...seen, made: '1001:b', version: 1 }

  it.each([
    ['after one that lists nothing', { hasListed: false }, undefined],
    ['after this process has listed a key', { hasListed: true }, 'replaced'],
    ['after one that lists a key', { hasListed: false, listed: new Set(['k']) }, 'replaced'],
    ['after one that lists all keys', { hasListed: false, listed: 'all' as const }, 'replaced'],
    ['after one that was migrated', { hasListed: false, initial: { lastUpdated: 5 } }, 'replaced'],
    ['at the same time', { hasListed: false, made: '1001:a' }, 'replaced'],
    ['before it', { hasListed: false, made: '2000:a' }, 'replaced'],
    ['after one of an earlier version', { hasListed: false, made: undefined }, undefined],
  ])('may be made later %s, or not', (_what, known, reason) => {
    expect(whyLost({ ...seen, ...known }, later)).toBe(reason)
  })

  it('may have the same version, if nothing has changed', () => {
    expect(whyLost({ ...seen, hasListed: true }, seen)).toBeUndefined()
  })
})

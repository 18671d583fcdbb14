import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { keyText, type LogicalKey } from '../../keys/key.js'
import type { KnownCard, ShardState } from '../../protocol/index.js'
import type { DriveOutcome } from '../count-driver.js'
import type { Migratable } from '../migratable.js'
import { type MigrateOptions, migrate } from './migrate.js'

const SETTLED = {
  phase: 'settled',
  shards: 4,
  lastUpdated: 1,
  history: ['1:4'],
} as const satisfies ShardState

interface Given {
  readonly card?: Partial<Pick<KnownCard, 'listed' | 'initial'>>
  readonly described?: TableDescription
  /** The counts of keys, by their name. */
  readonly counts?: Readonly<Record<string, number>>
  /** The outcomes of the drains of a key, one after the other; otherwise `settled`. */
  readonly outcomes?: Readonly<Record<string, readonly DriveOutcome[]>>
  readonly unitsPerSecond?: number
}

/** A table with four initial shards, its keys, and the changes of keys that were asked for. */
function tableWith({ card = {}, described = {}, counts = {}, outcomes = {}, unitsPerSecond }: Given = {}) {
  const asked: unknown[] = []
  const shards = new Map(Object.entries(counts))
  const left = new Map(Object.entries(outcomes).map(([key, list]) => [key, [...list]]))
  const known = {
    initial: SETTLED,
    listed: new Set(Object.keys(counts)),
    acceptedInitials: new Set(),
    migration: undefined,
    settings: { initial: '4' },
    version: 1,
    ...card,
  }
  const like: unknown[] = []
  const migratable = {
    table: {
      client: { send: async () => ({ Table: described }) },
      clock: new VirtualClock(),
      options: { name: 'log', partitionKey: 'pk', suffix: 'random', shardMapHasClient: true },
      placementKind: 'random',
    },
    cards: {
      readNow: async (key: LogicalKey) => {
        like.push(key)
        return known
      },
    },
    shardMap: {
      unlist: async () => {},
      reread: async (key: LogicalKey) => {
        const count = shards.get(keyText(key))
        return count === undefined ? undefined : { ...SETTLED, shards: count }
      },
    },
    costs: { read: async () => ({ unitsPerKilobyte: 3, timeToLive: undefined }) },
    signal: new AbortController().signal,
    unitsPerSecond,
    shardsOf: (key: LogicalKey) => ({
      drain: async (options: object) => {
        asked.push(['drain', keyText(key), options])
        return left.get(keyText(key))?.shift() ?? 'settled'
      },
      set: async (count: number) => {
        asked.push(['set', keyText(key), count])
        shards.set(keyText(key), count)
      },
    }),
  } as unknown as Migratable
  const phases: string[] = []
  const run = (options: Partial<MigrateOptions> = {}) =>
    migrate(migratable, { initial: 4, onProgress: ({ phase }) => phases.push(phase), ...options })
  return { run, asked, phases, like }
}

describe('an option of a migration', () => {
  it.each([
    ['initial', 0, 'options.invalid', 'from 1 to 1000'],
    ['initial', 1_001, 'options.invalid', 'from 1 to 1000'],
    ['keys', 'some', 'options.invalid', "'cold' or 'all'"],
    ['twoCopies', 'none', 'options.invalid', "'keep' or 'discard'"],
    ['dryRun', 'true', 'options.invalid', 'true or false'],
    ['unitsPerSecond', 9, 'options.invalid', 'from 10 to'],
    ['rate', 100, 'options.unknown', 'known are initial'],
  ] as const)('is refused by its name (%s: %j)', async (name, value, code, rule) => {
    await expect(tableWith().run({ dryRun: true, [name]: value } as never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(rule),
      details: { option: `migrate.${name}` },
    })
  })

  it.each([
    { twoCopies: 'keep' },
    { twoCopies: 'discard' },
    { keys: 'cold' },
    { keys: 'all' },
    { unitsPerSecond: 10 },
  ] as const)('may be %j', async (options) => {
    expect(await tableWith().run({ dryRun: true, ...options })).toMatchObject({ outcome: 'dry-run' })
  })
})

describe('a dry run', () => {
  it('counts the listed keys, and none on a card that lists all', async () => {
    const asked = { initial: 2, dryRun: true }
    expect(await tableWith({ counts: { hot: 8, warm: 6 } }).run(asked)).toMatchObject({ ownCounts: 2 })
    expect(await tableWith({ card: { listed: 'all' } }).run(asked)).toMatchObject({ ownCounts: 0 })
  })

  it('has the price at the rate of the options, or of the call', async () => {
    const described = { ItemCount: 1_000, TableSizeBytes: 1_000_000 }
    const table = tableWith({ described, unitsPerSecond: 50 })
    const units = 245 + 500 * 3
    const secondsOf = async (more: object) =>
      (await table.run({ initial: 2, dryRun: true, ...more })).price.seconds
    expect(await secondsOf({})).toBe(Math.ceil(units / 50))
    expect(await secondsOf({ unitsPerSecond: 200 })).toBe(Math.ceil(units / 200))
  })

  it.each([
    [
      'in bytes',
      [
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'pk', AttributeType: 'B' },
      ],
      'B',
    ],
    [
      'in text',
      [
        { AttributeName: 'sk', AttributeType: 'B' },
        { AttributeName: 'pk', AttributeType: 'S' },
      ],
      'S',
    ],
    ['that the service does not describe', undefined, 'S'],
    ['that is not among those described', [{ AttributeName: 'sk', AttributeType: 'B' }], 'S'],
  ] as const)('reads the card of a table with keys %s', async (_kind, definitions, type) => {
    const described = definitions === undefined ? {} : { AttributeDefinitions: [...definitions] }
    const { run, like } = tableWith({ described })
    await run({ dryRun: true })
    expect(like.map((key) => Object.keys(key as object))).toEqual([[type]])
  })
})

describe('a global table with a random suffix', () => {
  const described = { Replicas: [{ RegionName: 'eu-west-1' }] }
  const asked = (options: Partial<MigrateOptions>) =>
    tableWith({ described }).run({ dryRun: true, ...options })

  it.each([{ initial: 2 }, { initial: 8, keys: 'all' }, { initial: 4, keys: 'all' }] as const)(
    'is not migrated so that a count may fall (%j)',
    async (options) => {
      await expect(asked(options)).rejects.toMatchObject({
        code: 'table.unfit',
        details: { setting: 'shards' },
      })
    },
  )

  it.each([{ initial: 8 }, { initial: 4 }])(
    'is migrated to at least as many shards (%j)',
    async (options) => {
      expect(await asked(options)).toMatchObject({ outcome: 'dry-run' })
    },
  )
})

describe('a migration of all keys', () => {
  it('ends the change of a key first, then sets its count, and moves its items as was asked', async () => {
    const { run, asked, phases } = tableWith({ counts: { hot: 8, same: 4 } })
    const options = { keys: 'all', twoCopies: 'discard', unitsPerSecond: 70 } as const
    expect(await run(options)).toMatchObject({ outcome: 'settled', from: 4, to: 4, ownCounts: 2 })
    expect(phases).toEqual(['keys'])
    const drained = { twoCopies: 'discard', unitsPerSecond: 70, signal: expect.any(AbortSignal) }
    const of = (key: string) => asked.filter((each) => (each as string[])[1] === key)
    expect(of('hot')).toEqual([
      ['drain', 'hot', drained],
      ['set', 'hot', 4],
      ['drain', 'hot', drained],
    ])
    expect(of('same')).toEqual([['drain', 'same', drained]])
  })

  it('leaves the rate to the options of the table', async () => {
    const { run, asked } = tableWith({ counts: { hot: 8 } })
    await run({ keys: 'all' })
    const [, , options] = asked[0] as [string, string, object]
    expect(options).toStrictEqual({ twoCopies: 'keep', signal: expect.any(AbortSignal) })
  })

  it('does not change a key that another process has taken over, or with two copies', async () => {
    const outcomes = { hot: ['two-copies'], warm: ['settled', 'overtaken'] } as const
    const { run, asked } = tableWith({ counts: { hot: 8 }, outcomes })
    expect(await run({ keys: 'all' })).toMatchObject({ outcome: 'two-copies' })
    expect(asked).toHaveLength(1)
    const other = tableWith({ counts: { cold: 4, warm: 8 }, outcomes })
    expect(await other.run({ keys: 'all' })).toMatchObject({ outcome: 'overtaken' })
  })

  it('has no phase for keys where none has a count of its own, or where only the others are asked for', async () => {
    const none = tableWith()
    expect(await none.run({ keys: 'all' })).toMatchObject({ outcome: 'settled', ownCounts: 0 })
    expect(none.phases).toEqual([])
    const cold = tableWith({ counts: { hot: 8 } })
    expect(await cold.run()).toMatchObject({ outcome: 'settled', ownCounts: 1 })
    expect([cold.phases, cold.asked]).toEqual([[], []])
  })
})

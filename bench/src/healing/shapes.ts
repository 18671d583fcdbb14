import type { OpenLoad, Shape, ShapeTable } from './shape.js'

/** What one partition takes. */
const PARTITION = 1_000

/** In milliseconds. */
const HOUR = 3_600_000

/** Forty partitions. */
const LARGE: ShapeTable = { billing: 'provisioned', writeUnits: 40_000 }

function steady(partitions: number, writers = 10): OpenLoad {
  return {
    kind: 'open',
    writers,
    rate: [{ fromSecond: 0, unitsPerSecond: partitions * PARTITION }],
  }
}

/** A minute at 2 times a partition, and from then on at 8 times. */
function jumping(writers: number): OpenLoad {
  return {
    kind: 'open',
    writers,
    rate: [
      { fromSecond: 0, unitsPerSecond: 2 * PARTITION },
      { fromSecond: 60, unitsPerSecond: 8 * PARTITION },
    ],
  }
}

/** Ten processes that append items of 20 KB to one key. */
function appends(partitions: number, rest: Pick<Shape, 'seconds' | 'target'>): Shape {
  return {
    name: `random-${partitions}x`,
    title: `appends at ${partitions} times a partition, ten processes`,
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 'unique',
    load: steady(partitions),
    ...rest,
  }
}

/** Small processes that each write little, such as functions on AWS Lambda. */
function fleet(writers: number, everyMilliseconds: number): Shape {
  return {
    name: `fleet-${writers}`,
    title: `${writers.toLocaleString('en')} processes, each an append every ${everyMilliseconds.toLocaleString('en')} ms`,
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 900,
    items: 'unique',
    load: { kind: 'closed', writers, everyMilliseconds },
    seconds: 120,
    target: { healedSeconds: 15, maxShardMapWrites: 20 },
  }
}

/** The shapes of the scoreboard, the common ones first. */
export const SHAPES: readonly Shape[] = [
  appends(2, { seconds: 120, target: { healedSeconds: 10 } }),
  appends(4, { seconds: 120, target: { healedSeconds: 10 } }),
  {
    ...appends(4, { seconds: 180, target: { healedSeconds: 15 } }),
    name: 'random-4x-on-demand',
    title: 'appends at 4 times a partition, on-demand table warm for 40,000 units',
    table: { billing: 'on-demand', warmUnits: 40_000 },
  },
  appends(8, { seconds: 300, target: { healedSeconds: 15, maxShards: 16, maxLostUnits: 20_000 } }),
  appends(16, { seconds: 300, target: { healedSeconds: 25, maxShards: 32, maxLostUnits: 60_000 } }),
  appends(32, { seconds: 300, target: { healedSeconds: 60, maxShards: 120, maxLostUnits: 300_000 } }),
  fleet(1_000, 250),
  fleet(2_000, 1_000),
  fleet(10_000, 5_000),
  fleet(200, 50),
  {
    name: 'fleet-1000-jump',
    title: '1,000 processes, first at 2, then at 8 times a partition',
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 'unique',
    load: jumping(1_000),
    seconds: 120,
    target: { maxShards: 18, maxLostUnits: 20_000 },
  },
  {
    name: 'closed-16x',
    title: 'appends at 16 times a partition, 200 processes that wait for each answer',
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 'unique',
    load: { kind: 'closed', writers: 200, everyMilliseconds: 250 },
    seconds: 300,
    target: { healedSeconds: 40, maxShards: 36 },
  },
  {
    name: 'calculated-4x',
    title: 'calculated: 200 items of 20 KB replaced at 4 times a partition',
    suffix: 'calculated',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 200,
    load: steady(4),
    seconds: 300,
    target: { healedSeconds: 45, maxLostUnits: 60_000 },
  },
  {
    name: 'calculated-2x-10kb',
    title: 'calculated: unique items of 10 KB created at 2 times a partition',
    suffix: 'calculated',
    write: 'put',
    table: LARGE,
    itemBytes: 10_000,
    items: 'unique',
    load: steady(2),
    seconds: 300,
    target: { healedSeconds: 45 },
  },
  {
    name: 'calculated-2x-8-keys',
    title: 'calculated: unique items of 10 KB created under eight keys, each at 2 times a partition',
    suffix: 'calculated',
    write: 'put',
    table: LARGE,
    itemBytes: 10_000,
    items: 'unique',
    keys: 8,
    load: steady(16),
    seconds: 300,
    target: { healedSeconds: 60 },
  },
  {
    name: 'calculated-2x-40kb',
    title: 'calculated: unique items of 40 KB created at 2 times a partition',
    suffix: 'calculated',
    write: 'put',
    table: LARGE,
    itemBytes: 40_000,
    items: 'unique',
    load: steady(2),
    seconds: 300,
    target: { healedSeconds: 60 },
  },
  {
    name: 'calculated-batches-4x',
    title: 'calculated: batches of 25 items of 5 KB at 4 times a partition, each item written once',
    suffix: 'calculated',
    write: 'batch',
    members: 25,
    table: LARGE,
    itemBytes: 5_000,
    items: 'unique',
    load: steady(4),
    seconds: 120,
    target: { lastFailureSeconds: 60 },
  },
  {
    name: 'calculated-transactions-4x',
    title: 'calculated: transactions that replace 2 of 400 items of 5 KB at 4 times a partition',
    suffix: 'calculated',
    write: 'transaction',
    members: 2,
    table: LARGE,
    itemBytes: 5_000,
    items: 400,
    load: steady(4),
    seconds: 120,
    target: { lastFailureSeconds: 60 },
  },
  {
    name: 'hot-item-random',
    title: 'one item that everybody updates, at 3 times a partition, random suffix',
    suffix: 'random',
    write: 'update',
    table: LARGE,
    itemBytes: 4_900,
    items: 1,
    load: steady(3),
    seconds: 120,
    target: { maxShards: 4 },
  },
  {
    name: 'hot-item-calculated',
    title: 'one item that everybody updates, at 3 times a partition, calculated suffix',
    suffix: 'calculated',
    write: 'update',
    table: LARGE,
    itemBytes: 4_900,
    items: 1,
    load: steady(3),
    seconds: 120,
    target: { maxShards: 4 },
  },
  {
    ...appends(8, { seconds: 180, target: { healedSeconds: 75 } }),
    name: 'random-8x-calendar',
    title: 'appends at 2, then at 8 times a partition, one of two processes has its calendar an hour ahead',
    calendarAhead: HOUR,
    load: jumping(2),
  },
  {
    name: 'calculated-4x-calendar',
    title:
      'calculated: 200 items of 20 KB replaced at 4 times a partition, one of two processes has its calendar an hour ahead',
    suffix: 'calculated',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 200,
    calendarAhead: HOUR,
    load: steady(4, 2),
    seconds: 300,
    target: { healedSeconds: 55 },
  },
  {
    name: 'new-on-demand-4x',
    title: 'appends at 4 times a partition, new on-demand table',
    suffix: 'random',
    write: 'put',
    table: { billing: 'on-demand' },
    itemBytes: 20_000,
    items: 'unique',
    load: steady(4),
    seconds: 300,
    target: { maxShards: 16 },
  },
  {
    name: 'flapping-4x',
    title: 'appends at 4 times a partition, ten minutes on and ten off, three times',
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 'unique',
    load: {
      kind: 'open',
      writers: 10,
      rate: [0, 1_200, 2_400].flatMap((fromSecond) => [
        { fromSecond, unitsPerSecond: 4 * PARTITION },
        { fromSecond: fromSecond + 600, unitsPerSecond: 10 },
      ]),
    },
    seconds: 3_600,
    target: { maxShards: 12 },
  },
  {
    name: 'no-reasons',
    title: 'four keys at 750 units each of a table of 1,000, six processes, throttles without a reason',
    suffix: 'random',
    write: 'put',
    table: { billing: 'provisioned', writeUnits: PARTITION },
    itemBytes: 4_000,
    items: 'unique',
    keys: 4,
    isWithoutReasons: true,
    load: steady(3, 6),
    seconds: 300,
    target: { maxShards: 1 },
  },
  {
    name: 'no-reasons-4x',
    title: 'appends at 4 times a partition, throttles without a reason',
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 20_000,
    items: 'unique',
    isWithoutReasons: true,
    load: steady(4),
    seconds: 120,
    target: { healedSeconds: 10 },
  },
  {
    name: 'reads-2x',
    title: 'calculated: 200 items of 40 KB of one key, read at 2 times what a partition reads',
    suffix: 'calculated',
    write: 'get',
    table: LARGE,
    itemBytes: 40_000,
    items: 200,
    adopted: 200,
    load: steady(6),
    seconds: 240,
    target: { isSensed: true },
  },
  {
    name: 'down-8x',
    title:
      'appends of 100 KB at 8 times a partition for five minutes, then almost none, with a few queries a minute',
    suffix: 'random',
    write: 'put',
    table: LARGE,
    itemBytes: 100_000,
    items: 'unique',
    load: {
      kind: 'open',
      writers: 10,
      rate: [
        { fromSecond: 0, unitsPerSecond: 8 * PARTITION },
        { fromSecond: 300, unitsPerSecond: 1 },
      ],
    },
    queryEveryMilliseconds: 12_000,
    seconds: 3 * 3_600,
    target: { maxMovedShare: 0.01 },
  },
]

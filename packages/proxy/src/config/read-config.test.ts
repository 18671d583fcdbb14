import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { InferOutput } from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { parse } from 'yaml'
import { configuredProxy } from '../configured-proxy.js'
import { ProxyError } from '../errors/proxy-error.js'
import { configJsonSchema } from './config-json-schema.js'
import type { fileSchema } from './file-schema.js'
import type { LimitsConfig, MetricsConfig, ProxyConfig } from './proxy-config.js'
import { parseConfig } from './read-config.js'

const FULL = `
# yaml-language-server: $schema=isotherm.schema.json
region: eu-central-1
upstream: http://127.0.0.1:8000
port: 0
limits: { requests: 100, request: 20s, stop: 0 }
metrics: { hottestKeys: 3 }
tables:
  audit.log:
    partitionKey: file_path
    sortKey: accessed_at
    suffix: random
    shards: dynamic
    readReplicas: [copy]
  orders:
    partitionKey: customer
    sortKey: id
    suffix: { calculated: { from: [id] } }
    shards:
      dynamic:
        initial: 2
        max: 50
        policy: { proportional: { targetUtilization: 0.5 } }
        reads: growByReads
        quiet: false
    capacity: { raiseWriteCapacity: { maxWriteUnits: 4000 } }
    cacheTtl: 20s
    indexes:
      by_status: { partitionKey: status, sortKey: created, shards: { fixed: 4 } }
      by_date: { sortKey: created }
  votes:
    partitionKey: choice
    suffix: { handMade: { name: ours, shardOf: random, delimiter: '.', digits: 2 } }
    shards: { fixed: 10 }
`

const problemOf = (source: string): string => {
  try {
    parseConfig('isotherm.yaml', source)
  } catch (error) {
    if (error instanceof ProxyError) return error.message
    throw error
  }
  throw new Error('The configuration was accepted.')
}

describe('a configuration', () => {
  it('names a misspelt option, and not the one that is missing for that reason', () => {
    expect(problemOf('region: eu-central-1\ntabels: {}')).toMatch(
      /^isotherm\.yaml:2:1: tabels is not an option of this version; known are .*, tables\.$/,
    )
    const orders = '{ partition_key: customer, suffix: random, shards: dynamic }'
    expect(problemOf(`tables:\n  orders: ${orders}`)).toMatch(
      /^isotherm\.yaml:2:28: tables\.orders\.partition_key is not an option of this version; known are partitionKey, /,
    )
    expect(problemOf('tables:\n  orders: { suffix: random, shards: dynamic }\nport: 1\nprot: 1')).toContain(
      'tables.orders.partitionKey is missing',
    )
  })

  it('says in its own words that a file has several documents, or an option twice', () => {
    expect(problemOf('tables: {}\n---\ntables: {}')).toBe(
      'isotherm.yaml:2:1: This is a second YAML document; the configuration must be one. Remove the line ---.',
    )
    expect(problemOf('port: 1\nport: 2\ntables: {}')).toBe(
      'isotherm.yaml:2:1: port is there twice; keep one of the two.',
    )
  })

  it('becomes the options of the library', () => {
    const { config, tables } = parseConfig('isotherm.yaml', FULL)
    expect(config.limits).toEqual({ requests: 100, request: '20s', stop: 0 })
    expect(Object.keys(tables)).toEqual(['audit.log', 'orders', 'votes'])
    expect(tables['audit.log']).toMatchObject({ suffix: 'random', shards: { kind: 'dynamic', initial: 1 } })
    expect(tables.orders).toMatchObject({
      suffix: { kind: 'calculated', from: ['id'] },
      shards: { kind: 'dynamic', initial: 2, max: 50, reads: { kind: 'grow-by-reads' } },
      capacity: [{ maxWriteUnits: 4000 }],
      indexes: { by_status: { shards: { kind: 'fixed' } }, by_date: { sortKey: 'created' } },
    })
  })

  it('has a type with every option of the file but its tables', () => {
    type File = InferOutput<typeof fileSchema>
    expectTypeOf<Exclude<keyof File, keyof ProxyConfig>>().toEqualTypeOf<'$schema' | 'tables'>()
    expectTypeOf<keyof NonNullable<File['limits']>>().toEqualTypeOf<keyof LimitsConfig>()
    expectTypeOf<keyof NonNullable<File['metrics']>>().toEqualTypeOf<keyof MetricsConfig>()
  })

  it('may be JSON', () => {
    const { tables } = parseConfig('isotherm.json', JSON.stringify(parse(FULL)))
    expect(Object.keys(tables)).toEqual(['audit.log', 'orders', 'votes'])
  })

  it('may share options between tables with anchors', () => {
    const source = `
tables:
  one: &log { partitionKey: pk, suffix: random, shards: { fixed: 2 } }
  two: { <<: *log, sortKey: at }
`
    expect(parseConfig('isotherm.yaml', source).tables.two).toMatchObject({
      partitionKey: 'pk',
      sortKey: 'at',
    })
  })

  it.each([
    ['tables: [', '1:10: This is neither YAML nor JSON'],
    ['', '1:1: The configuration is null; it must be an object with'],
    ['port: 8010', '1:1: tables is missing; it must be an object with a member for each sharded table.'],
    ['port: 99999\ntables: {}', '1:7: port is 99999; it must be a whole number from 0 to 65535.'],
    [
      'upstream: here\ntables: {}',
      '1:11: upstream is "here"; it must be a URL such as http://127.0.0.1:8000.',
    ],
    [
      'limits: { request: soon }\ntables: {}',
      '1:20: limits.request is "soon"; it must be a duration such as',
    ],
    [
      'tables: {}\nprot: 1',
      '2:7: prot is not an option of this version; known are $schema, region, profile, upstream',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    sufix: random\n',
      '4:12: tables.log.sufix is not an option of this version; known are partitionKey, sortKey, suffix',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    suffix: rnd\n    shards: dynamic\n',
      '4:13: tables.log.suffix is "rnd"; it must be random, calculated, { calculated:',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    suffix: random\n    shards: { dynamic: { max: 5000 } }\n',
      '5:31: tables.log.shards.dynamic.max is 5000; it must be a whole number from 1 to 1000.',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    suffix: random\n    shards: { dynamic: { initial: 9, max: 5 } }\n',
      '5:5: tables.log.shards: dynamicShards.initial is 9; it must be a whole number from 1 to 5.',
    ],
    ['tables:\n  log: &log\n    <<: *log\n', '1:1: This is neither YAML nor JSON: Excessive alias count'],
    ['tables: []', '1:1: tables is []; it must be an object with a member for each sharded table.'],
    ['limits: []\ntables: {}', '1:1: limits is []; it must be an object with bodyBytes, '],
    [
      'tables:\n  log:\n    partitionKey: pk\n    shards: {}\n',
      '4:5: tables.log.shards.dynamic is missing; it must be an object with initial, max, ',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    shards: { fixed: eight }\n',
      '4:22: tables.log.shards.fixed is "eight"; it must be a whole number from 1 to 1000.',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    shards: { dynamic: { policy: { incrementBy: two } } }\n',
      '4:49: tables.log.shards.dynamic.policy.incrementBy is "two"; it must be a whole number from 1 to 100.',
    ],
    [
      'tables:\n  log:\n    partitionKey: pk\n    shards: { dynamic: { jitter: [1s] } }\n',
      '4:26: tables.log.shards.dynamic.jitter is ["1s"]; it must be two durations, the shorter first',
    ],
    [
      'limits: { request: 0 }\ntables: {}',
      "1:20: limits.request is 0; it must be a duration from '1ms' to '24h', or a number of milliseconds.",
    ],
    ['limits: { idle: 0s }\ntables: {}', '1:17: limits.idle is "0s"; it must be a duration from \'1ms\''],
    ['limits: { receive: .inf }\ntables: {}', "limits.receive is Infinity; it must be a duration from '1ms'"],
    ['limits: { stop: 25h }\ntables: {}', "limits.stop is \"25h\"; it must be a duration from '0s' to '24h'"],
    ['metrics: { every: 0 }\ntables: {}', "metrics.every is 0; it must be a duration from '1s' to '24h'"],
    [
      'allowedHosts: [isotherm.internal:8010]\ntables: {}',
      '1:16: allowedHosts.0 is "isotherm.internal:8010"; it must be a name without scheme and port, such as isotherm.internal.',
    ],
    ['allowedHosts: ["*.internal"]\ntables: {}', 'it must be a name without scheme and port'],
    ['tables: {}\ntables: {}', '2:1: tables is there twice; keep one of the two.'],
  ])('%j is refused with its line', (source, text) => {
    expect(problemOf(source)).toContain(`isotherm.yaml:`)
    expect(problemOf(source)).toContain(text)
  })

  it('names the line of options that only the library can judge', async () => {
    const source = 'port: 0\ntables:\n  my.log:\n    partitionKey: pk\n    suffix: random\n'
    const client = new DynamoDBClient({ region: 'eu-central-1' })
    await expect(configuredProxy(parseConfig('isotherm.yaml', source), { client })).rejects.toThrow(
      'isotherm.yaml:3:3: tables.my.log.shards is missing; it must be dynamic, { dynamic: { initial: 1, max: 200 } } or { fixed: 8 }.',
    )
  })

  it.each([
    [
      '{ partitionKey: pk, sortKey: sk, shards: dynamic }',
      "tables.log.suffix is missing; it must be random, calculated, { calculated: { from: ['order_id'] } } or { handMade: { ... } }.",
    ],
    [
      '{ partitionKey: pk, suffix: calculated, shards: dynamic }',
      'tables.log.sortKey is missing; it must be the name of the sort key',
    ],
  ])('names a missing option of %s in the words of the file', async (table, text) => {
    const client = new DynamoDBClient({ region: 'eu-central-1' })
    const read = parseConfig('isotherm.yaml', `port: 0\ntables:\n  log: ${table}\n`)
    await expect(configuredProxy(read, { client })).rejects.toThrow(`isotherm.yaml:3:3: ${text}`)
  })

  it.each(['1.1h', '0.1s', '1.5ms', 1234.5])(
    'may have the limits %s, which Node takes in whole milliseconds',
    async (time) => {
      const limits = { request: time, receive: time, idle: time, stop: time }
      const read = parseConfig('isotherm.json', JSON.stringify({ port: 0, limits, tables: {} }))
      const proxy = await configuredProxy(read, { client: new DynamoDBClient({ region: 'eu-central-1' }) })
      await proxy.stop()
    },
  )

  it('has the JSON Schema that the package contains', async () => {
    await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../isotherm.schema.json',
    )
  })
})

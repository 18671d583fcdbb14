import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterEach, describe, expect, it } from 'vitest'
import { REAL_CONTROL_PLANE_LIMITS } from './capacity/control-plane-limits.js'
import { REAL_DELAYS } from './catalog/control-plane-delays.js'
import { LocalError } from './errors/local-error.js'
import { DEFAULT_HEAT } from './heat-history/heat-parameters.js'
import { createLocal, type Local, type LocalOptions } from './local.js'
import { DEFAULT_METRICS } from './metrics/metrics-parameters.js'
import { DEFAULT_CAPACITY } from './partition/capacity-parameters.js'
import { startLocal } from './start-local.js'
import { DEFAULT_STREAMS } from './stream/stream-parameters.js'

const LAYER = { seconds: 10, columns: 6, keys: 0 }

const opened: Local[] = []
afterEach(async () => {
  for (const local of opened.splice(0)) await local.close()
})

function create(options: unknown): Local {
  const local = createLocal(options as LocalOptions)
  opened.push(local)
  return local
}

/** The error of a call, or of a promise that it returns. */
async function errorOf(work: () => unknown): Promise<LocalError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof LocalError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

describe('an option of createLocal', () => {
  it.each([
    [
      { throtle: false },
      'createLocal.throtle is not an option of this version (did you mean throttle?); known are clock, random, throttle',
    ],
    [{ constructor: 1 }, 'createLocal.constructor is not an option'],
    [{ port: 8000 }, 'createLocal.port is an option of `listen` and of `startLocal`.'],
    [{ capacity: { partitionWriteUnits: 100 } }, 'createLocal.capacity.partitionWriteUnits is not an option'],
    [{ heat: { cells: 5 } }, 'createLocal.heat.cells is not an option'],
    [
      { controlPlaneDelays: { createTabel: '6s' } },
      'createLocal.controlPlaneDelays.createTabel is not an option of this version (did you mean createTable?);',
    ],
  ])('is refused if it is not known: %o', async (options, message) => {
    const error = await errorOf(() => create(options))
    expect(error.code).toBe('options.unknown')
    expect(error.message).toContain(message)
  })

  it.each([
    [null, 'createLocal is null; it must be an object with some of clock, random'],
    ['./dynamodb', 'createLocal is "./dynamodb"; it must be an object'],
    [[], 'createLocal is a list; it must be an object'],
    [Promise.resolve({}), 'createLocal is a promise; it must be an object'],
    [{ clock: Date }, 'createLocal.clock is a function; it must be a Clock with now() and sleep().'],
    [{ random: Math.random }, 'createLocal.random is a function; it must be a Random with next().'],
    [{ throttle: 'no' }, 'createLocal.throttle is "no"; it must be true or false.'],
    [{ data: true }, 'createLocal.data is true; it must be the path of a directory.'],
    [
      { data: new URL('file:///dynamodb') },
      'createLocal.data is a URL; it must be the path of a directory; fileURLToPath() of node:url makes one of a URL.',
    ],
    [
      { data: 'file:///dynamodb' },
      'createLocal.data is "file:///dynamodb"; it must be the path of a directory; file',
    ],
    [
      { data: '~/dynamodb' },
      'createLocal.data is "~/dynamodb"; it must be the path of a directory; ~ means the home directory to a shell only',
    ],
    [{ data: '~' }, 'createLocal.data is "~"; it must be'],
    [{ buckets: '~/buckets' }, 'createLocal.buckets is "~/buckets"; it must be the path of a directory; ~'],
    [{ buckets: '' }, 'createLocal.buckets is ""; it must be the path of a directory.'],
    [
      { trace: new URL('file:///t.jsonl') },
      'createLocal.trace is a URL; it must be the path of a new file; file',
    ],
    [
      { region: '' },
      'createLocal.region is ""; it must be 1 to 64 small letters, digits or hyphens, such as us-east-1.',
    ],
    [{ region: 'us-east-1 ' }, 'createLocal.region is "us-east-1 "; it must be 1 to 64'],
    [{ region: 'US East' }, 'createLocal.region is "US East"; it must be 1 to 64'],
    [{ capacity: 100 }, 'createLocal.capacity is 100; it must be an object with some of model'],
    [
      { capacity: { heatSeconds: '20' } },
      'createLocal.capacity.heatSeconds is "20"; it must be a number from 0 up.',
    ],
    [
      { capacity: { partitionWriteUnitsPerSecond: Number.NaN } },
      'createLocal.capacity.partitionWriteUnitsPerSecond is NaN; it must be a number above 0.',
    ],
    [
      { capacity: { model: 'old' } },
      'createLocal.capacity.model is "old"; it must be "adaptive" or "classic".',
    ],
    [
      { capacity: { onDemandPartitions: 1.5 } },
      'onDemandPartitions is 1.5; it must be a whole number from 1 up.',
    ],
    [
      { controlPlaneDelays: 'slow' },
      'createLocal.controlPlaneDelays is "slow"; it must be "none" or "real", or an object',
    ],
    [
      { controlPlaneDelays: { createTable: '6 s' } },
      `createTable is "6 s"; it must be a duration such as '60s'`,
    ],
    [
      { controlPlaneLimits: { changesAtOnce: 0.5 } },
      'changesAtOnce is 0.5; it must be a whole number from 0 up.',
    ],
    [{ transactionMilliseconds: -1 }, 'transactionMilliseconds is -1; it must be a finite number from 0 up.'],
    [{ metrics: true }, 'createLocal.metrics is true; it must be false, or an object with some of'],
    [{ heat: 1 }, 'createLocal.heat is 1; it must be true or false, or an object with some of'],
    [{ heat: { layers: [{ seconds: 1 }] } }, 'heat.layers is a list; it must be a list of layers'],
    [
      { heat: { layers: [LAYER, { ...LAYER, seconds: 15 }] } },
      'whose seconds are a multiple of those of the layer before.',
    ],
    [
      { capacity: { onDemandPartitions: Number.POSITIVE_INFINITY } },
      'onDemandPartitions is Infinity; it must be',
    ],
    [
      { transactionMilliseconds: Number.POSITIVE_INFINITY },
      'is Infinity; it must be a finite number from 0 up.',
    ],
    [{ onBug: {} }, 'createLocal.onBug is an object; it must be a function.'],
    [{ throttle: 1n }, 'createLocal.throttle is 1n; it must be'],
  ])('is refused if it has a value that it cannot have: %o', async (options, message) => {
    const error = await errorOf(() => create(options))
    expect(error.code).toBe('options.invalid')
    expect(error.message).toContain(message)
  })

  it('may have any value of the defaults and of the real limits', () => {
    create({
      clock: new VirtualClock(),
      capacity: { ...DEFAULT_CAPACITY, partitionBytes: Number.POSITIVE_INFINITY },
      streams: DEFAULT_STREAMS,
      controlPlaneDelays: REAL_DELAYS,
      controlPlaneLimits: REAL_CONTROL_PLANE_LIMITS,
      metrics: DEFAULT_METRICS,
      heat: DEFAULT_HEAT,
    })
  })

  it('counts as missing if it is undefined, also inside another one', () => {
    const local = create({ region: undefined, capacity: { onDemandPartitions: undefined }, heat: undefined })
    expect(local.now()).toBeGreaterThan(0)
  })

  it('is read from a class, too', () => {
    class Settings {
      get region() {
        return 'eu-west-1'
      }
    }
    expect(create(new Settings()).connection().region).toBe('eu-west-1')
    expect(create(Object.create({ region: 'eu-west-2' })).connection().region).toBe('eu-west-2')
  })

  it('of another function counts as missing if it is undefined', () => {
    expect(create({ port: undefined, throtle: undefined }).now()).toBeGreaterThan(0)
  })

  it('is a duration with a unit where its name has none', async () => {
    const clock = new VirtualClock()
    const client = create({ clock, controlPlaneDelays: { createTable: '2s', deleteTable: 500 } }).client()
    await clock.run(async () => {
      await client.send(new CreateTableCommand(createTable('things', ['id']).input))
      const status = async () =>
        (await client.send(new DescribeTableCommand({ TableName: 'things' }))).Table?.TableStatus
      await clock.sleep(1_900)
      expect(await status()).toBe('CREATING')
      await clock.sleep(200)
      expect(await status()).toBe('ACTIVE')
    })
  })
})

describe('an option of an endpoint', () => {
  it.each([
    [{ port: '8000' }, 'options.invalid', 'listen.port is "8000"; it must be a whole number from 0 to 65535'],
    [{ port: 0, hosts: ['a'] }, 'options.unknown', 'listen.hosts is not an option'],
    [{ port: 0, timeouts: { idle: '5s' } }, 'options.unknown', 'listen.timeouts.idle is not an option'],
    [
      { port: 0, allowedHosts: 'proxy' },
      'options.invalid',
      'listen.allowedHosts is "proxy"; it must be a list of names.',
    ],
    [
      { port: 0, data: './dynamodb' },
      'options.unknown',
      'listen.data is an option of `createLocal` and of `startLocal`.',
    ],
  ])('is checked: %j', async (options, code, message) => {
    const local = create({})
    const error = await errorOf(() => local.listen(options as never))
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it.each(['dynamodb:8011', 'http://ddb', 'a b', '', '*', '[::1]:8000', '[a]'])(
    'is refused if it allows a host that no request can have: %j',
    async (name) => {
      const error = await errorOf(() => create({}).listen({ port: 0, allowedHosts: ['ddb', name] }))
      expect(error).toMatchObject({
        code: 'options.invalid',
        message: `listen.allowedHosts[1] is "${name}"; it must be a name without scheme and port, such as dynamodb.`,
      })
    },
  )

  it('is checked by startLocal, which opens nothing then', async () => {
    const misspelt = { port: 0, throtle: false }
    expect(await errorOf(() => startLocal(misspelt))).toMatchObject({
      code: 'options.unknown',
      message: expect.stringContaining(
        'startLocal.throtle is not an option of this version (did you mean throttle?)',
      ),
    })
  })

  it.each([
    [
      { timeouts: { silenceMilliseconds: Number.POSITIVE_INFINITY } },
      'whole number from 0 to 2147483647; 0 is no limit.',
    ],
    [{ timeouts: { idleMilliseconds: 1.5 } }, 'listen.timeouts.idleMilliseconds is 1.5; it must be'],
    [
      { site: {} },
      'listen.site is an object; it must be the pages of a console, with path, serve() and close().',
    ],
  ])('is refused before Node would: %o', async (options, message) => {
    const error = await errorOf(() => create({}).listen({ port: 0, ...options } as never))
    expect(error.message).toContain(message)
  })

  it('is no limit of a time if it is 0', async () => {
    const timeouts = {
      headersMilliseconds: 0,
      requestMilliseconds: 0,
      idleMilliseconds: 0,
      silenceMilliseconds: 0,
    }
    const { url } = await create({}).listen({ port: 0, timeouts })
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
  })

  it('is not shown if it is secret', async () => {
    const secretAccessKey = 'wJalrXUtnFEMI'
    const error = await errorOf(() =>
      create({}).listen({ port: 0, credentials: [{ secretAccessKey }] } as never),
    )
    expect(error.message).toBe(
      'listen.credentials must be a list of access keys with accessKeyId and secretAccessKey.',
    )
    expect(JSON.stringify(error.details)).not.toContain(secretAccessKey)
    const misplaced = await errorOf(() => startLocal([{ secretAccessKey }] as never))
    expect(misplaced.message + JSON.stringify(misplaced.details)).not.toContain(secretAccessKey)
  })
})

import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { queue, queueTable } from '../queue/index.js'
import type { PlainValue } from '../values/plain-item.js'
import { type DirectoryWork, defineDirectory, directory, directoryTable, stored } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true } },
  links: { category: {} },
})
const JOBS = { table: 'jobs', partitionKey: 'id' }
const WRITE = /Put|BatchWrite|Transact/

async function engineWith() {
  const tables = [directoryTable(definition), queueTable(JOBS)].map((table) => new CreateTableCommand(table))
  const engine = await patternEngine(tables, { throttle: false })
  const { clock, client } = engine
  const jobs = queue<DirectoryWork>(client, { ...JOBS, clock, random: new SeededRandom(2) })
  let seed = 10
  const open = (db: DynamoDBClient = client) => {
    seed += 1
    return directory(db, definition, { jobs, clock, random: new SeededRandom(seed) })
  }
  return { ...engine, jobs, open, tenant: (db?: DynamoDBClient) => open(db).tenant('acme') }
}

/** Rejects one of the writes at once, takes its time for the others, and counts those that have ended. */
function rejectWrite(client: DynamoDBClient, at: number, sleep: (milliseconds: number) => Promise<void>) {
  const writes = { begun: 0, ended: 0 }
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!WRITE.test(commandName)) return next(args)
        writes.begun += 1
        if (writes.begun === at) throw new Error('The first failure.')
        await sleep(1_000 * writes.begun)
        const output = await next(args)
        writes.ended += 1
        return output
      },
    { step: 'initialize' },
  )
  return writes
}

const row = (at: number) => ({ id: `p${at}`, createdAt: at, fields: { name: `Person ${at}` } })
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at))

describe('an import that fails', () => {
  it('writes nothing after its error, which is that of its source', async () => {
    const { clock, network, tenant } = await engineWith()
    const far = network(5, 0)
    const writes = rejectWrite(far, 0, (milliseconds) => clock.sleep(milliseconds))
    await clock.run(async () => {
      async function* people() {
        yield* rows(60)
        throw new Error('The file has ended.')
      }
      await expect(tenant(far).import(people())).rejects.toThrow('The file has ended.')
      const { begun, ended } = writes
      expect(begun).toBe(ended)
      await clock.sleep(600_000)
      expect(writes).toEqual({ begun, ended })
      // Whole batches were imported, and the rest of the rows was not begun.
      expect(await tenant().import(rows(60))).toMatchObject({ created: 10, unchanged: 50 })
    })
  })

  // A batch has 20 puts that begin its items, 4 batches of search items, and 20 puts that end its items.
  it.each([1, 21, 25])('writes nothing after the first error of a batch: write %i', async (at) => {
    const { clock, network, tenant } = await engineWith()
    const far = network(5, 0)
    const writes = rejectWrite(far, at, (milliseconds) => clock.sleep(milliseconds))
    await clock.run(async () => {
      await expect(tenant(far).import(rows(20))).rejects.toThrow('The first failure.')
      const { begun, ended } = writes
      expect([begun > at, begun]).toEqual([true, ended + 1])
      await clock.sleep(600_000)
      expect(writes).toEqual({ begun, ended })
    })
  })

  it('throws the error of a batch that failed before its source did', async () => {
    const { clock, network, tenant } = await engineWith()
    const far = network(5, 0)
    rejectWrite(far, 1, (milliseconds) => clock.sleep(milliseconds))
    await clock.run(async () => {
      async function* people() {
        yield* rows(30)
        await clock.sleep(60_000)
        throw new Error('The file has ended.')
      }
      await expect(tenant(far).import(people())).rejects.toThrow('The first failure.')
    })
  })
})

describe('an import of rows that are there', () => {
  it('ends with the last row of each id, whichever batch is faster', async () => {
    const { clock, network, open } = await engineWith()
    await clock.run(async () => {
      for (let seed = 1; seed <= 5; seed++) {
        const acme = open(network(seed, 0)).tenant(`t${seed}`)
        const changed = ['first', 'second', 'last'].map((name) => ({ id: 'p0', fields: { name } }))
        const counts = await acme.import([
          ...changed,
          ...rows(30).slice(1),
          { ...row(1), fields: { name: 'new' } },
        ])
        expect(counts).toEqual({ rows: 33, created: 30, changed: 3, unchanged: 0 })
        const names = await Promise.all(['p0', 'p1'].map(async (id) => (await acme.get(id))?.name))
        expect(names).toEqual(['last', 'new'])
      }
      expect(await open().check()).toMatchObject({ compared: 150, missing: 0, extra: 0 })
    })
  })

  it.each([
    ['a number that JavaScript writes with an exponent', 1e-7],
    ['such numbers in a set', new Set([2, 1e-7])],
    ['such a number in a map', { N: { N: 1e-7 } }],
    ['bytes in a Buffer', Buffer.from('face')],
    ['Buffers in a set', new Set([Buffer.from('one'), Buffer.from('two')])],
    ['a Buffer in a list', [Buffer.from('face')]],
  ])('leaves a row alone that has %s', async (_what, value) => {
    const { clock, client } = await engineWith()
    const typed = defineDirectory({ table: 'contacts', fields: { value: stored<PlainValue>() } })
    await clock.run(async () => {
      const acme = directory(client, typed, { clock, random: new SeededRandom(3) }).tenant('acme')
      const imported = () => acme.import([{ id: 'p0', fields: { value } }])
      expect(await imported()).toMatchObject({ created: 1 })
      expect(await imported()).toMatchObject({ changed: 0, unchanged: 1 })
    })
  })
})

describe('an import of links', () => {
  const linked = (from: number, to: number) =>
    rows(to)
      .slice(from)
      .map((each) => ({ ...each, links: { category: ['vip'] } }))

  it.each(['renamed', 'deleted'] as const)(
    'follows a target that was %s meanwhile, also if the import fails',
    async (kind) => {
      const { clock, jobs, open, tenant } = await engineWith()
      await clock.run(async () => {
        await tenant().setTarget('category', 'vip', 'Key accounts')
        async function* people() {
          yield* linked(0, 30)
          await clock.sleep(10_000)
          if (kind === 'renamed') await tenant().setTarget('category', 'vip', 'Clients')
          else await tenant().deleteTarget('category', 'vip')
          // Both sweeps of the queue end before the other rows come.
          for (let minute = 0; minute < 3; minute++) {
            await jobs.work(open().handle, { untilEmpty: true })
            await clock.sleep(60_000)
          }
          yield* linked(30, 60)
          throw new Error('The file has ended.')
        }
        await expect(tenant().import(people())).rejects.toThrow('The file has ended.')
        expect(await open().check()).toMatchObject({ compared: 50, missing: 0, extra: 0, outdated: 0 })
        const category = kind === 'renamed' ? [{ id: 'vip', name: 'Clients' }] : []
        expect((await tenant().get('p49'))?.links).toEqual({ category })
      })
    },
  )
})

describe('an item with the most links', () => {
  it('takes the new name of a target that it is linked to, and no other link', async () => {
    const { clock, tenant } = await engineWith()
    await clock.run(async () => {
      const acme = tenant()
      const ids = Array.from({ length: 51 }, (_, at) => `c${at}`)
      await Promise.all(ids.map((id) => acme.setTarget('category', id, `Category ${id}`)))
      await acme.import([{ ...row(0), links: { category: ids.slice(0, 50) } }])
      await acme.setTarget('category', 'c0', 'Clients')
      const { links } = await acme.link('p0', 'category', 'c0')
      expect(links.category[0]).toEqual({ id: 'c0', name: 'Clients' })
      await expect(acme.link('p0', 'category', 'c50')).rejects.toMatchObject({ code: 'options.invalid' })
    })
  })
})

describe('a rename and a repair that fail', () => {
  it('write nothing after their error', async () => {
    const { clock, client, network, jobs, open, tenant } = await engineWith()
    await clock.run(async () => {
      await tenant().setTarget('category', 'vip', 'Key accounts')
      await tenant().import(rows(8).map((each) => ({ ...each, links: { category: ['vip'] } })))
      await tenant().setTarget('category', 'vip', 'Clients')
      await clock.sleep(5_000)
      const failing = async (work: (db: DynamoDBClient) => Promise<unknown>) => {
        const far = network(5, 0)
        const writes = rejectWrite(far, 1, (milliseconds) => clock.sleep(milliseconds))
        await expect(work(far)).rejects.toThrow('The first failure.')
        const { begun, ended } = writes
        expect(begun).toBe(ended + 1)
        await clock.sleep(60_000)
        expect(writes).toEqual({ begun, ended })
        return ended
      }
      const payload = { table: 'contacts', tenant: 'acme', kind: 'category', id: 'vip', sweep: 1 } as const
      const operation = { payload } as Parameters<ReturnType<typeof open>['handle']>[0]
      const repaired = await failing((db) => open(db).check({ repair: true }))
      await tenant().setTarget('category', 'vip', 'Customers')
      const renamed = await failing(async (db) => open(db).handle(operation))
      expect([repaired, renamed]).toEqual([7, 7])
      expect(await jobs.work(open(client).handle, { untilEmpty: true })).toMatchObject({ failed: 0 })
    })
  })
})

describe('what is no import', () => {
  it.each([
    ['a number', 5, /the rows is 5/],
    ['nothing', undefined, /the rows is undefined/],
    ['text', '[]', /the rows/],
    ['one row', row(0), /the rows/],
    ['a row that is null', [null], /a row is null/],
    ['rows of which one is null', [row(0), null, null, row(1)], /a row is null/],
    ['a row without an id', [{ fields: {} }], /the id/],
    ['links that are a number', [{ ...row(0), links: { category: 5 } }], /p0\.links\.category is 5/],
    ['links that are text', [{ ...row(0), links: { category: '7' } }], /p0\.links\.category is "7"/],
    ['links that are null', [{ ...row(0), links: { category: null } }], /p0\.links\.category is null/],
    ['no object of links', [{ ...row(0), links: null }], /p0\.links/],
  ])('is refused, and nothing is written: %s', async (_what, given, message) => {
    const { clock, tenant } = await engineWith()
    await clock.run(async () => {
      const acme = tenant()
      await acme.setTarget('category', '7', 'Seven')
      const error = await acme.import(given as never).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ code: 'options.invalid', message: expect.stringMatching(message) })
      expect(await acme.get('p0')).toBeUndefined()
    })
  })
})

import { CreateTableCommand, DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { defineDirectory, directory, directoryTable } from './index.js'

const definition = defineDirectory({
  table: 'contacts',
  fields: { name: { required: true, search: 'substring', words: true } },
  links: { category: {} },
})

/** Names of tenants that a careless key would confuse. */
const TENANTS = ['a', 'a ', 'ab', 'item', 'a^', 'a=', 'A', 'あ']
const NAMES = ['Anna', 'anna item', 'a', '##a', '山田#a', 'item', '~ann', '=a^a', 'Z']

async function filled() {
  const engine = await patternEngine([new CreateTableCommand(directoryTable(definition))], {
    throttle: false,
  })
  const { clock, client } = engine
  const contacts = directory(client, definition, { clock, random: new SeededRandom(1) })
  await clock.run(async () => {
    for (const tenant of TENANTS) {
      const own = contacts.tenant(tenant)
      await own.setTarget('category', 'c', `category of ${tenant}`)
      for (const [at, name] of NAMES.entries()) {
        await own.create({ name: `${name} ${tenant}` }, { id: `${tenant}-${at}` })
        await own.link(`${tenant}-${at}`, 'category', 'c')
      }
    }
    await clock.sleep(5_000)
  })
  return { clock, client, contacts }
}

/** A cursor as a client may forge it: from the parts of real ones, and of anything. */
const forged = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .tuple(
      fc.constantFrom(1, 2, '1'),
      fc.string({ maxLength: 12 }),
      fc.oneof(
        fc.constantFrom('zzzzzzzzz#x', '000000000#a#item', 'ab#item', '~', '', 'a#^a'),
        fc.string({ unit: 'binary', maxLength: 20 }).map((id) => `zzzzzzzzz#${id}`),
      ),
    )
    .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
)

describe('a tenant', () => {
  it('is never shown anything of another, with whatever query and cursor', async () => {
    const { clock, contacts } = await filled()
    const numRuns = inject('trials') === 'many' ? 250 : 20
    await clock.run(() =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...TENANTS),
          fc.constantFrom(...TENANTS),
          fc.oneof(
            fc.constantFrom('a', 'an', 'anna', '#', 'item', '山田', 'category', '~'),
            fc.string({ maxLength: 5 }),
          ),
          fc.constantFrom('prefix' as const, 'substring' as const),
          forged,
          async (name, other, text, match, cursor) => {
            const tenant = contacts.tenant(name)
            const foreign = contacts.tenant(other)
            const options = { match, limit: 3 }
            // A real cursor of the other tenant, the same with another owner, and a forged one.
            const theirs = (await foreign.search(text, options)).cursor
            const own = (await tenant.search(text, options)).cursor
            const listed = (await foreign.list({ limit: 3 })).cursor
            const mixed = [theirs, listed, cursor].map((one) => grafted(own, one))
            for (const one of [undefined, own, theirs, listed, cursor, ...mixed]) {
              const found = await tenant
                .search(text, { ...options, cursor: one })
                .then(({ hits }) => hits.map(({ item }) => item), refused)
              const list = await tenant
                .list({ cursor: one, linkedTo: { category: 'c' } })
                .then(({ items }) => items, refused)
              const all = await tenant.list({ cursor: one }).then(({ items }) => items, refused)
              const ids = [...found, ...list, ...all].map(({ id }) => id)
              expect(ids.filter((id) => !id.startsWith(`${name}-`))).toEqual([])
              if (one === theirs && theirs !== undefined && name !== other) expect(found).toEqual([])
            }
            expect(await tenant.get(`${other}-1`)).toEqual(name === other ? expect.anything() : undefined)
          },
        ),
        { numRuns },
      ),
    )
  })
})

describe('a repair of one tenant', () => {
  it('changes nothing of another, wherever it starts', async () => {
    const { clock, client, contacts } = await filled()
    const stored = async () => {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'contacts' }))
      return new Map(Items.map((item) => [`${item.ID?.S} ${item.DataType?.S}`, item]))
    }
    const numRuns = inject('trials') === 'many' ? 100 : 10
    await clock.run(async () => {
      const whole = await stored()
      const damaged = [...whole.values()].filter(({ DataType }) => /^[=~]/.test(DataType?.S ?? ''))
      const startKeys = fc.oneof(
        fc.constant(undefined),
        fc.constantFrom(...whole.values()).map(({ ID, DataType }) => ({ ID, DataType })),
        fc.record({
          ID: text(fc.string({ minLength: 1 })),
          DataType: text(fc.constantFrom('~', 'item', '=')),
        }),
      )
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...TENANTS), startKeys, async (tenant, startKey) => {
          for (const { ID, DataType } of damaged) {
            const Key = { ID, DataType } as never
            await client.send(new DeleteItemCommand({ TableName: 'contacts', Key }))
          }
          const before = await stored()
          await contacts.check({ tenant, repair: true, startKey })
          const after = await stored()
          const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
            (key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
          )
          expect(changed.filter((key) => !key.startsWith(`${tenant}#`))).toEqual([])
          await contacts.check({ tenant, repair: true })
          const own = (items: typeof whole) =>
            JSON.stringify([...items].filter(([key]) => key.startsWith(`${tenant}#`)).sort())
          expect(own(await stored())).toBe(own(whole))
        }),
        { numRuns },
      )
    })
  })
})

/** A key's attribute as it is sent. */
function text(values: fc.Arbitrary<string>): fc.Arbitrary<{ readonly S: string }> {
  return values.map((S) => ({ S }))
}

/** The position of one cursor with the owner of another, as somebody would forge it who knows the form. */
function grafted(own: string | undefined, other: string | undefined): string | undefined {
  if (own === undefined || other === undefined) return undefined
  try {
    const [version, owner] = JSON.parse(Buffer.from(own, 'base64url').toString())
    const [, , position] = JSON.parse(Buffer.from(other, 'base64url').toString())
    return Buffer.from(JSON.stringify([version, owner, position])).toString('base64url')
  } catch {
    return other
  }
}

function refused(error: unknown): [] {
  expect(error).toMatchObject({ code: 'search.cursor' })
  return []
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, inject, it } from 'vitest'
import { Database } from '../database.js'
import { checkStructure } from './check-structure.js'

const RUNS = inject('trials') === 'many' ? 150 : 6

const folder = mkdtempSync(join(tmpdir(), 'isotherm-intact-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

/** Short and long keys of few numbers, so that rows are overwritten. */
const key = fc
  .record({ number: fc.nat(400), length: fc.constantFrom(0, 0, 0, 30, 1_500) })
  .map(({ number, length }) => `k${number}${'-'.repeat(length)}`)
/** Values on their page and on pages of their own. `undefined` removes the row. */
const value = fc
  .oneof(fc.nat(200), fc.nat(200), fc.nat(20_000), fc.constant(undefined), fc.constant(undefined))
  .map((bytes) => (bytes === undefined ? undefined : Buffer.alloc(bytes, 'v')))
const commit = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 150 }).map((rows) => new Map(rows))
/** What is written each time that the file is open. */
const openings = fc.array(fc.array(commit, { maxLength: 30 }), { minLength: 1, maxLength: 4 })

it(`finds nothing wrong with files that LMDB has written, ${RUNS} times`, async () => {
  await fc.assert(
    fc.asyncProperty(openings, async (openings) => {
      const directory = join(folder, String(files++))
      mkdirSync(directory)
      const file = join(directory, 'items.mdb')
      for (const commits of openings) {
        const database = new Database(file)
        for (const commit of commits) await database.commit(commit)
        await database.close()
        expect(() => checkStructure(file)).not.toThrow()
        expect(() => checkStructure(file, 0)).not.toThrow()
      }
      rmSync(directory, { recursive: true })
    }),
    { numRuns: RUNS },
  )
})

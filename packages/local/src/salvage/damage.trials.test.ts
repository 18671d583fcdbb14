import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SeededRandom } from '@isotherm/runtime'
import { afterAll, expect, inject, it } from 'vitest'
import { writeDirectory } from './damaged-directory.fixture.js'

const FLIPS = inject('trials') === 'many' ? 300 : 8
const PAGE_BYTES = 4_096

/** The compiled engine, in a process of its own: LMDB is native code. */
const reader = fileURLToPath(new URL('../../crash/damaged-reader.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-damage-'))
afterAll(() => rmSync(folder, { recursive: true }))

it(`never answers wrongly and never ends when a bit of its file is flipped, ${FLIPS} times`, async () => {
  const intact = join(folder, 'intact')
  await writeDirectory(intact)
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = new SeededRandom(seed)
  const { size } = statSync(join(intact, 'items.mdb'))
  // Half of the flips are at the beginning of a page, where its structure is.
  const positions = Array.from({ length: FLIPS }, (_, each) => {
    const byte = Math.floor(random.next() * size)
    const inHeader = byte - (byte % PAGE_BYTES) + Math.floor(random.next() * 60)
    return `${each % 2 === 0 ? byte : inHeader}.${Math.floor(random.next() * 8)}`
  })
  const { stdout, signal, status } = spawnSync(
    process.execPath,
    [reader, intact, join(folder, 'damaged'), ...positions],
    { encoding: 'utf8', stdio: 'pipe' },
  )
  const outcomes = stdout.trim().split('\n')
  expect({ signal, status, outcomes: outcomes.length }, `seed ${seed}: ${outcomes.at(-1)}`).toEqual({
    signal: null,
    status: 0,
    outcomes: FLIPS,
  })
  const wrong = outcomes.filter((line) => !/^\S+ (same|noticed)/.test(line))
  expect(wrong, `seed ${seed}`).toEqual([])
  expect(outcomes.some((line) => line.includes('noticed'))).toBe(true)
})

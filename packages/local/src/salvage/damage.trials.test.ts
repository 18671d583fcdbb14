import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SeededRandom } from '@isotherm/runtime'
import { afterAll, expect, inject, it } from 'vitest'
import { pagePlaces } from '../storage/lmdb/pages/lmdb-file.fixture.js'
import { writeDirectory } from './damaged-directory.fixture.js'

const FLIPS = inject('trials') === 'many' ? 300 : 8
const HEADER_BYTES = 24
/** Where the header of a file says how large its pages are. */
const PAGE_BYTES_AT = 48
/** The headers of the file are larger than those of its pages. */
const OTHER_HEADER_BYTES = 160

/** The compiled engine, in a process of its own: LMDB is native code. */
const reader = fileURLToPath(new URL('../../crash/damaged-reader.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-damage-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A byte by which LMDB finds pages and rows: of a header, of the place of a node, of a node's header, or of a key. */
function structureByte(bytes: Buffer, random: SeededRandom): number {
  const draw = (count: number) => Math.floor(random.next() * count)
  const { at, kind, nodes } = pagePlaces(bytes, draw(bytes.length / bytes.readUInt32LE(PAGE_BYTES_AT)))
  if (kind === 'other') return at + draw(OTHER_HEADER_BYTES)
  const node = nodes[draw(nodes.length)] ?? at
  const places = [
    at + draw(HEADER_BYTES),
    at + HEADER_BYTES + draw(2 * nodes.length),
    node + draw(8),
    node + draw(50),
  ]
  return places[draw(places.length)] ?? at
}

it(`never answers wrongly and never ends when a bit of its file is flipped, ${FLIPS} times`, async () => {
  const intact = join(folder, 'intact')
  await writeDirectory(intact)
  const seed = inject('seed')
  const random = new SeededRandom(seed)
  const bytes = readFileSync(join(intact, 'items.mdb'))
  const positions = Array.from({ length: FLIPS }, (_, each) => {
    const byte = each % 4 === 0 ? Math.floor(random.next() * bytes.length) : structureByte(bytes, random)
    return `${byte}.${Math.floor(random.next() * 8)}`
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

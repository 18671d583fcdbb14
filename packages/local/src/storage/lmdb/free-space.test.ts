import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkSpaceFor, freeBytesOf, ITEMS_FILE, NoSpace, removalsBeside } from './free-space.js'
import { storageFailure } from './storage-failure.js'

const directory = mkdtempSync(join(tmpdir(), 'isotherm-free-space-'))
afterAll(() => rmSync(directory, { recursive: true }))

const MEBIBYTE = 1024 * 1024
const rows = (...values: readonly (Buffer | undefined)[]) =>
  new Map(values.map((value, at) => [`row-${at}`, value]))

describe('a commit', () => {
  /** Whether a file of so many bytes has room for the commit. */
  const fits = (commit: ReturnType<typeof rows>, maxFileBytes: number) => {
    try {
      checkSpaceFor(directory, commit, maxFileBytes)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(NoSpace)
      expect(error).toMatchObject({ maxFileBytes })
      return false
    }
  }

  it.each([
    ['nothing', rows(), MEBIBYTE],
    ['a removal', rows(undefined), MEBIBYTE + 16_384 + 5],
    ['a row', rows(Buffer.alloc(1_000)), MEBIBYTE + 16_384 + 5 + 2_000],
    ['two rows', rows(Buffer.alloc(10), Buffer.alloc(20)), MEBIBYTE + 2 * (16_384 + 5) + 60],
  ])('needs room for the pages on the way to each row, and twice for the row: %s', (_, commit, bytes) => {
    expect([fits(commit, bytes), fits(commit, bytes - 1)]).toEqual([true, false])
  })

  it('may remove as many rows beside its own ones as there is room for', () => {
    const needed = MEBIBYTE + 16_384 + 5
    const beside = (maxFileBytes: number) => removalsBeside(directory, rows(undefined), 3, maxFileBytes)
    expect([0, needed, needed + 18_431, needed + 18_432, needed + 2 * 18_432, 1e12].map(beside)).toEqual([
      0, 0, 0, 1, 2, 3,
    ])
  })

  it('needs that room beside the rows that are there', () => {
    const path = join(directory, ITEMS_FILE)
    writeFileSync(path, Buffer.alloc(5_000))
    expect([fits(rows(), MEBIBYTE + 5_000), fits(rows(), MEBIBYTE + 4_999)]).toEqual([true, false])
    rmSync(path)
  })
})

describe('free space', () => {
  it('is that of the disk that holds the path, where the system says it', () => {
    expect(freeBytesOf(directory)).toBeGreaterThan(MEBIBYTE)
    expect(freeBytesOf(join(directory, 'nowhere'))).toBeUndefined()
  })
})

describe('a commit that has failed', () => {
  it.each([
    ['the limit of its file', new NoSpace(9, 5, 7), 'storage.full', { directory, maxFileBytes: 7 }],
    ['a full disk', new NoSpace(9, 5), 'storage.full', { directory, freeBytes: expect.any(Number) }],
    ['anything else', new Error('input/output error'), 'storage.write', { directory }],
  ])('says why: %s', (_, cause, code, details) => {
    expect(storageFailure(directory, cause)).toMatchObject({ code, details, cause })
  })

  it('names the reason of the system', () => {
    expect(storageFailure(directory, new Error('input/output error')).message).toContain('input/output error')
    expect(storageFailure(directory, 'a text').message).toContain('a text')
  })
})

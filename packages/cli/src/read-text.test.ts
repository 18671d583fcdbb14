import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { isotherm } from './isotherm.fixture.js'
import { readText } from './read-text.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-read-text-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

it('a file compressed with gzip has the text of the original, and the lines of its errors', async () => {
  const log = '\ufefftime,key\r\n\r\n1,a\r\nnoon,b\r\n'
  expect(readText(fileOf('access.log.gz', gzipSync(log)))).toBe(log.slice(1))
  const { code, err } = await isotherm('plan', '--from', join(folder, 'access.log.gz'))
  expect(err).toMatch(/^isotherm: Line 4 of the log is malformed: its time is 'noon'/)
  expect(code).toBe(2)
})

it('one that ends early cannot be read', () => {
  const path = fileOf('torn.gz', gzipSync('time,key\n1,a\n').subarray(0, 15))
  expect(() => readText(path)).toThrow(`The file ${path} cannot be read (Z_BUF_ERROR).`)
})

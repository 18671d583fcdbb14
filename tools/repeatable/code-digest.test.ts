import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { codeDigest } from './code-digest.js'
import { REPEATABLE_TESTS } from './repeatable-tests.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-digest-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  write(
    'a.test.ts',
    "import { b } from './b.js'\nimport { SeededRandom } from '@isotherm/runtime'\nb(SeededRandom)\n",
  )
  write('b.ts', 'export function b(given: unknown) {\n  console.log(given)\n}\n')
  write('c.ts', '// mark: here\nexport const c = 1\n')
  write('c.test.ts', 'c()\n')
})

describe('the digest of a test', () => {
  it('is the same as long as its code is', async () => {
    const before = await digest()
    expect(await digest()).toBe(before)
    appendFileSync(join(folder, 'b.ts'), '// A comment.\n')
    expect(await digest()).toBe(before)
  })

  it.each(['a.test.ts', 'b.ts'])('is another one when %s is', async (file) => {
    const before = await digest()
    appendFileSync(join(folder, file), 'console.log(1)\n')
    expect(await digest()).not.toBe(before)
  })

  it.each([
    ['a comment of a file that it reads as text', 'c.ts', '// mark: elsewhere\n'],
    ['a new file in a folder that it reads', 'd.json', '{}'],
  ])('is another one with %s', async (_what, file, text) => {
    const before = await digest(['.'])
    appendFileSync(join(folder, file), text)
    expect(await digest(['.'])).not.toBe(before)
  })

  it('does not depend on other tests in a folder that it reads', async () => {
    const before = await digest(['.'])
    appendFileSync(join(folder, 'c.test.ts'), 'c(1)\n')
    expect(await digest(['.'])).toBe(before)
  })
})

describe('a test that is not repeated while its code is the same', () => {
  it.each(REPEATABLE_TESTS)('reads no real time, and starts no process: $file', ({ file }) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    expect(text).not.toMatch(
      /performance\.now|Date\.now|node:child_process|node:net|node:http|setTimeout|mkdtemp/,
    )
  })
})

function write(file: string, text: string) {
  writeFileSync(join(folder, file), text)
}

function digest(reads: readonly string[] = []) {
  return codeDigest('a.test.ts', reads, folder)
}

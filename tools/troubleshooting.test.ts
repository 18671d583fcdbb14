import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/troubleshooting.md')

/** The codes of the rows of a section, each with the other cells. */
function rowsOf(section: string): ReadonlyMap<string, readonly string[]> {
  const [, text = ''] = page.split(`\n### ${section}\n`)
  const [own = ''] = text.split('\n##')
  const rows = [...own.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(' | '))
  return new Map(
    rows.flatMap(([codes = '', ...cells]) =>
      [...codes.matchAll(/`([^`]+)`/g)].map(([, code = '']) => [code, cells] as const),
    ),
  )
}

/** The members of the union of codes in a source. */
function codesIn(path: string): readonly string[] {
  const [, union = ''] = /export type \w+ErrorCode =\n((?: {2}\| '[^']+'\n)+)/.exec(read(path)) ?? []
  return [...union.matchAll(/'([^']+)'/g)].map(([, code = '']) => code)
}

describe('the page about errors', () => {
  it.each([
    ['Of the local engine', 'packages/local/src/errors/local-error.ts'],
    ['Of the proxy', 'packages/proxy/src/errors/proxy-error.ts'],
  ])('has a cause and a cure for each code: %s', (section, source) => {
    const rows = rowsOf(section)
    const codes = codesIn(source)
    expect(codes.length).toBeGreaterThan(5)
    expect([...rows.keys()].sort()).toEqual([...codes].sort())
    for (const [code, cells] of rows)
      expect(
        cells.map((cell) => cell.length > 10),
        code,
      ).toEqual([true, true])
  })
})

describe('the page about errors of the library', () => {
  it('explains each code that the library declares or throws, in an error of any class', () => {
    const folder = join(root, 'packages/isotherm/src')
    const sections = new Set(
      [...read('packages/isotherm/ERRORS.md').matchAll(/^## (\S+)$/gm)].map(([, code]) => code),
    )
    const thrown = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/\bnew \w*Error\(\s*'([a-z-]+(?:\.[a-z-]+)+)'/g),
      ])
      .map(([, code]) => code)
    expect(new Set(thrown).size).toBeGreaterThan(50)
    const declared = Array.from(
      read('packages/isotherm/src/errors/isotherm-error.ts').matchAll(/^ {2}'([a-z.-]+)': \{/gm),
      ([, code]) => code,
    )
    expect(declared.length).toBeGreaterThan(50)
    expect([...thrown, ...declared].filter((code) => !sections.has(code))).toEqual([])
  })
})

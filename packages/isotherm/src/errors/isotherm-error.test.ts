import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { IsothermError } from './isotherm-error.js'

const explained = readFileSync(new URL('../../ERRORS.md', import.meta.url), 'utf8')
const sections = new Set([...explained.matchAll(/^## (\S+)$/gm)].map(([, code]) => code))

describe('an error', () => {
  it('has its code, its values, its cause, and a reference to its explanation', () => {
    const cause = new Error('inner')
    const error = new IsothermError('key.missing', 'No key.', { table: 'log', attribute: 'pk' }, { cause })
    expect(error).toMatchObject({ code: 'key.missing', details: { table: 'log', attribute: 'pk' }, cause })
    expect(error.help).toBe('isotherm/ERRORS.md#keymissing')
  })

  it('is explained in ERRORS.md for every code that is thrown', () => {
    const folder = new URL('..', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const thrown = sources.flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      return [...text.matchAll(/new IsothermError\(\s*'([^']+)'/g)].map(([, code]) => code)
    })
    expect(thrown.length).toBeGreaterThan(10)
    expect(thrown.filter((code) => !sections.has(code ?? ''))).toEqual([])
  })
})

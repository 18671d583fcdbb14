import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { withExceptionTable } from './exception-table.js'
import { JUDGEMENTS } from './judgement/judge.js'

describe('the exceptions', () => {
  it('have names of their own', () => {
    const names = JUDGEMENTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('are told in docs/differential.md as they are here', () => {
    const document = readFileSync(new URL('../../../docs/differential.md', import.meta.url), 'utf8')
    expect(document).toBe(withExceptionTable(document))
  })
})

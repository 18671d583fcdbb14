import { describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

describe('isotherm run rotation', () => {
  it('prints the figures of both ways as a table, and as JSON', async () => {
    const { code, out } = await isotherm('run', 'rotation')
    expect(code).toBe(0)
    expect(out).toContain("by the writer's clock")
    expect(out).toMatch(/lines that neither a query nor the archive finds\s+│\s+[1-9]\d* │\s+0 │/)
    const json = await isotherm('run', 'rotation', '--seed', '2', '--json')
    expect(JSON.parse(json.out)).toMatchObject({ seed: 2, isGood: true })
  })

  it('refuses a seed that is none', async () => {
    const { code, err } = await isotherm('run', 'rotation', '--seed', 'x')
    expect({ code, err }).toEqual({
      code: 2,
      err: "isotherm: --seed is 'x'; it must be a whole number from 0.\n",
    })
  })
})

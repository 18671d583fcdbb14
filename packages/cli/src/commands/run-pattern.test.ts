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
      err: "isotherm: --seed is 'x'; it must be a whole number from 0 to 2147483647.\n",
    })
  })

  it('has a part of the usual load, within limits', async () => {
    const { out } = await isotherm('run', 'rotation', '--scale', '0.2', '--json')
    expect(JSON.parse(out)).toMatchObject({ title: expect.stringMatching(/^600 lines/), isGood: true })
    const refused = await isotherm('run', 'rotation', '--scale', '9')
    expect(refused).toMatchObject({
      code: 2,
      err: "isotherm: --scale is '9'; it must be a number from 0.1 to 4.\n",
    })
  })
})

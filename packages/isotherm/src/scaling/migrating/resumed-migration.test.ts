import { describe, expect, it } from 'vitest'
import { countOf, endedAt, fill, within } from '../../../test/migrating.js'

describe('a migration that is resumed', () => {
  it.each([
    ['calculated', 'announced', 4, 8],
    ['calculated', 'moved', 4, 8],
    ['calculated', 'draining', 4, 8],
    ['calculated', 'draining', 8, 2],
    ['random', 'retired', 2, 6],
    ['random', 'retired', 6, 2],
  ] as const)('is from the count before, and has its price (%s, %s, %i to %i)', (suffix, phase, from, to) =>
    within(countOf(suffix, from), async (engine) => {
      await fill(engine.process(), 'a', 8)
      await engine.clock.sleep(8 * 3_600_000)
      const asked = { initial: to, dryRun: true }
      const before = await engine.process().migrate('log', asked)
      const ended = endedAt((progress) => progress.phase === phase)
      await expect(engine.process().migrate('log', { initial: to, ...ended })).rejects.toThrow('ended')
      const resumed = await engine.process().migrate('log', asked)
      expect(resumed).toEqual(before)
      expect(resumed).toMatchObject({ from, to })
      expect(await engine.process().migrate('log', { initial: to })).toMatchObject({
        from,
        to,
        outcome: 'settled',
      })
    }),
  )
})

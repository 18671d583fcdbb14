import { expect, it } from 'vitest'
import { soak } from './soak.js'
import { verdicts } from './soak-report.js'

it('loses nothing in a minute of hot keys, time to live and kills', async () => {
  const result = await soak(1, () => {})
  expect(verdicts(result).filter(({ isMet }) => !isMet)).toEqual([])
  expect(result.periods.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(0)
}, 480_000)

import { describe, expect, it } from 'vitest'
import { commandOf, type Request } from './request.js'
import { WORKLOADS } from './settings.js'
import { NO_ADJUSTMENTS } from './switches.js'

const REQUEST: Request = { seed: 7, seconds: 20, workloads: WORKLOADS, adjustments: NO_ADJUSTMENTS }

describe('the command that repeats a run', () => {
  it('does not say what is so by itself', () => {
    expect(commandOf(REQUEST)).toBe('npm run simulate -- --seed 7 --seconds 20 --trace')
  })

  it('says what was asked for', () => {
    const adjustments = {
      ...NO_ADJUSTMENTS,
      without: ['pauses', 'sdk'],
      processes: 3,
      writesPerSecond: 5,
      lateness: 2.5,
    }
    expect(commandOf({ ...REQUEST, workloads: ['queue', 'pool'], adjustments })).toBe(
      'npm run simulate -- --seed 7 --seconds 20 --workload queue,pool --without pauses,sdk --processes 3 --writes 5 --lateness 2.5 --trace',
    )
    expect(commandOf({ ...REQUEST, adjustments: { ...NO_ADJUSTMENTS, mode: 'read-limits' } })).toBe(
      'npm run simulate -- --seed 7 --seconds 20 --mode read-limits --trace',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { findOracle } from './oracle/find-oracle.js'
import { describeDifference, exceptionLines, summary } from './run/report.js'
import { run } from './run/run.js'

const OPERATIONS = 2500
const TIMEOUT_MILLISECONDS = 180_000
const oracle = findOracle()
/** Set where every change is checked: a missing Java fails there. */
const mustRun = process.env.ISOTHERM_SKIP_NOTHING === 'true'

describe('the engine, asked the same as DynamoDB Local', () => {
  it.for([101, 102])(
    'answers the same, or differs for a reason that has a name: seed %i',
    { timeout: TIMEOUT_MILLISECONDS },
    async (seed, { skip }) => {
      if (!oracle.found) {
        skip(!mustRun, oracle.why)
        throw new Error(oracle.why)
      }
      const findings = await run(oracle.folder, seed, OPERATIONS)
      console.log([...exceptionLines(findings), `${summary(findings)} (seed ${seed})`].join('\n'))
      expect(findings.unexplained.map(describeDifference)).toEqual([])
      expect(findings.compared).toBe(OPERATIONS)
      expect(findings.waiting).toEqual([])
      // A comparison of two refusals that are always excepted would prove nothing.
      expect(findings.equal).toBeGreaterThan(OPERATIONS / 2)
    },
  )
})

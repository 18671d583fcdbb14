import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@isotherm/runtime'
import { whole } from '../engine-figures.js'
import type { Figure } from './figure.js'

const MOST_SECONDS = 20
const LEAST_PER_SECOND = 40_000
const SEEDS = ['--seeds', '250', '--seconds', '10', '--from', '1', '--jobs', '1']

/** Library and engine together, on virtual time: the rehearsal of the README, and seeds of the simulator. */
export async function wholeRuns(): Promise<readonly Figure[]> {
  const clock = new SystemClock()
  const from = clock.now()
  printedBy('packages/cli/bin/isotherm.js', ['run', 'hot-file', '--once'])
  const seconds = (clock.now() - from) / 1_000
  const rate = simulatedRate(printedBy('simulation/dist/main.js', SEEDS))
  return [
    {
      name: '`isotherm run hot-file --once`, all three runs',
      measured: `${seconds.toFixed(0)} s`,
      aim: { text: `under ${MOST_SECONDS} s on two processors`, isMet: seconds < MOST_SECONDS },
    },
    {
      name: 'Requests of simulated applications, a second of one processor',
      measured: whole(rate),
      aim: { text: `over ${whole(LEAST_PER_SECOND)}`, isMet: rate > LEAST_PER_SECOND },
    },
  ]
}

function printedBy(script: string, args: readonly string[]): string {
  const path = fileURLToPath(new URL(`../../../../${script}`, import.meta.url))
  return execFileSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** What the simulator counts itself. @throws Error if it does not say so */
function simulatedRate(printed: string): number {
  const [, rate] = /^requests\/s of CPU +([\d,]+)$/m.exec(printed) ?? []
  if (rate === undefined)
    throw new Error('The simulator did not print its requests per second of processor time.')
  return Number(rate.replaceAll(',', ''))
}

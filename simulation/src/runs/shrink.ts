import type { Library } from '../world/library.js'
import { type Request, runRequest, settingsOf } from './request.js'
import { type Adjustments, SWITCHES } from './switches.js'

/** How many runs a search for a shorter trace may take. */
export const MAX_RUNS = 60

/**
 * Looks for a smaller run that breaks the same guarantee: with fewer kinds of faults, fewer processes, less load, a shorter
 * time. What is left is what it takes.
 *
 * @param onRun hears of each run when it has ended: how many there were, and the smallest that breaks it so far
 */
export async function shrink(
  library: Library,
  failing: Request,
  rule: string,
  onRun: (runs: number, best: Request) => void,
): Promise<Request> {
  let best = failing
  let runs = 0
  const fails = async (candidate: Request): Promise<boolean> => {
    if (runs >= MAX_RUNS) return false
    runs += 1
    const { violation } = await runRequest(library, candidate)
    const isBroken = violation?.rule === rule
    if (isBroken) best = candidate
    onRun(runs, best)
    return isBroken
  }
  for (const [name, off] of Object.entries(SWITCHES)) {
    const settings = settingsOf(best)
    const isOff = JSON.stringify(off(settings)) === JSON.stringify(settings)
    if (isOff) continue
    await fails(withAdjustments(best, { without: [...best.adjustments.without, name] }))
  }
  for (const processes of [1, 2, 3, 5, 10]) {
    if (processes >= settingsOf(best).processes) break
    if (await fails(withAdjustments(best, { processes }))) break
  }
  while (best.seconds >= 10 && (await fails({ ...best, seconds: Math.floor(best.seconds / 2) })));
  for (const writesPerSecond of [1, 2, 5, 10]) {
    if (await fails(withAdjustments(best, { writesPerSecond }))) break
  }
  return best
}

function withAdjustments(request: Request, part: Partial<Adjustments>): Request {
  return { ...request, adjustments: { ...request.adjustments, ...part } }
}

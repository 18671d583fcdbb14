import { writeFileSync } from 'node:fs'
import { SystemClock } from '@isotherm/runtime'
import { failingScript } from '../interleavings/failing-script.js'
import type { Settings } from '../runs/settings.js'
import type { Library } from '../world/library.js'

const PROGRESS_MILLISECONDS = 5_000

/** How long a script may be made smaller: one of a few hundred lines takes about a minute. */
const MAX_MILLISECONDS = 120_000

/** Shows a run that breaks something as a script, or writes it to a file. */
export async function tellScript(
  library: Library,
  settings: Settings,
  save: string | undefined,
): Promise<void> {
  const clock = new SystemClock()
  const from = clock.now()
  let toldAt = from
  console.log(`looking for a script of it, in ${MAX_MILLISECONDS / 1_000} s at most ...`)
  const script = await failingScript(library, settings, {
    mayRun: () => clock.now() - from < MAX_MILLISECONDS,
    onRun: (lines) => {
      if (clock.now() - toldAt < PROGRESS_MILLISECONDS) return
      toldAt = clock.now()
      console.log(`a script of ${lines} lines was tried`)
    },
  })
  if (script === undefined) {
    console.log('no script breaks it: scripts have no words for rules of load, and for some of several items')
  } else if (save === undefined) {
    console.log(`as a script, which is a test when it is saved in simulation/interleavings:\n\n${script}`)
  } else {
    writeFileSync(save, script)
    console.log(`as a script: ${save}`)
  }
}

import { runRequest } from '../runs/request.js'
import { timeline } from '../runs/timeline.js'
import { lineText } from '../runs/trace-text.js'
import { LIBRARY as library } from '../world/library.js'
import type { OneSeed } from './command-line.js'
import { tellScript } from './tell-script.js'

/** Runs one seed, and shows what happened where that is asked for. @returns the exit code */
export async function tryOneSeed({ request, trace, save }: OneSeed): Promise<number> {
  const result = await runRequest(library, request, trace)
  const { violation, settings } = result
  if (trace) {
    const lines = violation === undefined ? result.lines.map(lineText) : timeline(result)
    for (const line of lines) console.log(line)
  }
  const outcome = violation?.message ?? 'nothing was broken'
  console.log(`seed ${request.seed}, ${settings.workload}, ${settings.processes} processes: ${outcome}`)
  console.log(`trace ${result.hash}, ${result.requests} requests, ${result.countChanges} count changes`)
  if (violation !== undefined && save !== undefined) await tellScript(library, settings, save)
  return violation === undefined ? 0 : 1
}

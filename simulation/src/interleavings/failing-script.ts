import { runSeed } from '../runs/run-seed.js'
import type { Settings } from '../runs/settings.js'
import type { Library } from '../world/library.js'
import { Violation } from '../world/violation.js'
import { parseScripts } from './parse-script.js'
import { recordedScript } from './recorded-script.js'
import { Recording } from './recording.js'
import { runScript } from './run-script.js'
import { ScriptError } from './script-error.js'
import { type ScriptLine, scriptText } from './script-lines.js'
import { shrinkScript } from './shrink-script.js'

export interface FailingScriptOptions {
  /** Asked before each run: whether there is time for another one. */
  readonly mayRun: () => boolean
  /** Called after each run, with the lines of the smallest script so far. */
  readonly onRun: (lines: number) => void
}

/**
 * A run that breaks a rule, as a script that breaks one too: shrunk as far as there is time.
 * @returns `undefined` where no script of the run does: some rules, such as those of load, have no words in scripts
 */
export async function failingScript(
  library: Library,
  settings: Settings,
  { mayRun, onRun }: FailingScriptOptions,
): Promise<string | undefined> {
  const recording = new Recording()
  const { tables } = await runSeed(library, settings, { recording })
  const run = { recording, settings, tables }
  for (const timing of ['even', 'exact'] as const) {
    const lines = recordedScript(run, timing)
    const rule = await brokenRule(library, lines)
    if (rule === undefined) continue
    const fails = async (candidate: readonly ScriptLine[]) => {
      if (!mayRun()) return false
      const isSame = (await brokenRule(library, candidate)) === rule
      onRun(candidate.length)
      return isSame
    }
    const shrunk = await shrinkScript(lines, fails)
    return `# Breaks the rule: ${rule}.\n${scriptText(shrunk)}`
  }
  return undefined
}

/** @returns `undefined` for a script that fails for another reason, or not at all */
async function brokenRule(library: Library, lines: readonly ScriptLine[]): Promise<string | undefined> {
  try {
    for (const script of parseScripts('script', scriptText(lines))) await runScript(library, script)
    return undefined
  } catch (error) {
    const isRule = error instanceof ScriptError && error.cause instanceof Violation
    return isRule ? (error.cause as Violation).rule : undefined
  }
}

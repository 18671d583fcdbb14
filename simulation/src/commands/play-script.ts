import { readFileSync } from 'node:fs'
import { CommandError } from '../command-error.js'
import { parseScripts } from '../interleavings/parse-script.js'
import { runScript } from '../interleavings/run-script.js'
import type { Script } from '../interleavings/script.js'
import { ScriptError } from '../interleavings/script-error.js'
import { plantedLibrary } from '../mutants/planted-library.js'
import { LIBRARY as library } from '../world/library.js'
import type { PlayedScript } from './command-line.js'

/** Runs the tests of a script file. @returns the exit code */
export async function playScript({ file, mutant }: PlayedScript): Promise<number> {
  const scripts = scriptsIn(file)
  const played = mutant === undefined ? library : await plantedLibrary(mutant)
  let failed = 0
  for (const script of scripts) {
    try {
      await runScript(played, script)
      console.log(`passed: ${script.title || file}`)
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      failed += 1
      console.log(`FAILED: ${script.title || file}\n${error.message}`)
    }
  }
  console.log(`${scripts.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** @throws CommandError where the file cannot be read, as a file or as a script */
function scriptsIn(file: string): readonly Script[] {
  try {
    return parseScripts(file, readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof ScriptError) throw new CommandError(`${error.message}.`, { cause: error })
    throw new CommandError(`--script is '${file}', which cannot be read: ${String(error)}.`, { cause: error })
  }
}

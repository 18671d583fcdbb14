import { expect } from 'vitest'
import type { Mutant } from '../mutants/mutant.js'
import { MUTANTS } from '../mutants/mutants.js'
import { plantedLibrary } from '../mutants/planted-library.js'
import { runSeed } from '../runs/run-seed.js'
import { drawnSettings, type Settings } from '../runs/settings.js'
import { LIBRARY as library } from '../world/library.js'
import { failingScript } from './failing-script.js'
import { parseScripts } from './parse-script.js'
import { runScript } from './run-script.js'

const MAX_RUNS = 250
const MAX_SEEDS = 100
const MAX_LINES = 30

async function played(which: typeof library, text: string): Promise<string> {
  try {
    for (const script of parseScripts('a.txt', text)) await runScript(which, script)
    return 'passed'
  } catch (error) {
    return String(error)
  }
}

/** The settings of the seeds that break a guarantee. */
async function* failingSettings(planted: unknown, { workloads }: Mutant): AsyncGenerator<Settings> {
  for (let seed = 1; seed <= MAX_SEEDS; seed++) {
    const settings = { ...drawnSettings(seed, 30_000, workloads), steady: undefined }
    const { violation } = await runSeed(planted as typeof library, settings)
    if (violation !== undefined) yield settings
  }
}

/** The first short script of a seed that breaks a guarantee. Some seeds break it in a batch, for which scripts have no words. */
async function firstScript(planted: never, mutant: Mutant): Promise<string> {
  for await (const settings of failingSettings(planted, mutant)) {
    let runs = 0
    const script = await failingScript(planted, settings, {
      mayRun: () => runs++ < MAX_RUNS,
      onRun: () => {},
    })
    if (script !== undefined && script.split('\n').length < MAX_LINES) return script
  }
  throw new Error(`None of ${MAX_SEEDS} seeds has a script of less than ${MAX_LINES} lines.`)
}

/** Hunts a planted bug, and checks that the script of a seed that shows it fails with the bug and passes without. */
export async function leavesScript(name: string): Promise<void> {
  const mutant = MUTANTS.find((each) => each.name === name)
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`)
  const planted = await plantedLibrary(mutant)
  const script = await firstScript(planted as never, mutant)
  expect(await played(planted as typeof library, script)).toMatch(/^ScriptError: a.txt:\d+: /)
  expect(await played(library, script)).toBe('passed')
}

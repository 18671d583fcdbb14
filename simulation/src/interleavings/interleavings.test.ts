import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { LIBRARY as library } from '../world/library.js'
import { parseScripts } from './parse-script.js'
import { runScript } from './run-script.js'

const folder = fileURLToPath(new URL('../../interleavings/', import.meta.url))

describe.each(readdirSync(folder).filter((file) => file.endsWith('.txt')))(
  'the interleavings of %s',
  (file) => {
    const scripts = parseScripts(`simulation/interleavings/${file}`, readFileSync(`${folder}${file}`, 'utf8'))
    it.each(scripts.map((script) => [script.title, script] as const))('%s', async (_title, script) => {
      await runScript(library, script)
    })
  },
)

// Removes the marks of planted bugs (docs/simulation.md, "It can fail") from a compiled package before it is packed.
//
//   node tools/strip-marks.js DIST
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WITHIN_A_LINE = /\/\* mark: [a-z-]+ \*\/ ?/g
/** Its line stays, empty, so that source maps stay right. */
const OWN_LINE = /^[ \t]*\/\/ mark: [a-z-]+$/gm

const [folder] = process.argv.slice(2)
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.js')) continue
  const file = join(folder, path)
  const compiled = readFileSync(file, 'utf8')
  const stripped = compiled.replace(WITHIN_A_LINE, '').replace(OWN_LINE, '')
  if (stripped === compiled) continue
  // Renamed, so that nobody who loads the file meanwhile reads half of it.
  writeFileSync(`${file}.stripped`, stripped)
  renameSync(`${file}.stripped`, file)
}

// Measures what `npm install --global @isotherm/cli` puts on a disk, which is what the image of the Dockerfile has on top of its
// base: the packages as they are published, and the packages of others in the versions of the lock file.
//
//   node tools/installed-size.js [--write docs/local-engine.md]
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PUBLISHED, publishedCopy } from './pack.js'

const [BEGIN, END] = ['<!-- installed-size: npm run installed-size -->', '<!-- /installed-size -->']
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { write: { type: 'string' } } })

/** Bytes of the files under a folder. Packages inside a package are counted by themselves. */
function bytesUnder(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? bytesUnder(path) : lstatSync(path).size
  }
  return bytes
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** The place of a package that another one imports: Node looks in the folders above. */
function placeOf(name, importer) {
  for (let from = importer; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/')))) {
    const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
    if (place in packages) return packages[place].link ? packages[place].resolved : place
    if (from === '') return undefined
  }
}

/** The places of a package and of all that it needs. Other platforms' packages are in the lock file, and not installed. */
function neededBy(place, needed = new Set()) {
  if (needed.has(place)) return needed
  needed.add(place)
  const { dependencies = {}, optionalDependencies = {} } = packages[place]
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = placeOf(name, place)
    if (found !== undefined && existsSync(join(root, found))) neededBy(found, needed)
    else if (name in dependencies) throw new Error(`${name} is not installed, and ${place} needs it.`)
  }
  return needed
}

let [own, sdk, others] = [0, 0, 0]
for (const place of neededBy('packages/cli')) {
  if (PUBLISHED.includes(place)) {
    const copy = await publishedCopy(place)
    own += bytesUnder(copy)
    rmSync(copy, { recursive: true })
  } else if (/node_modules\/@(aws-sdk|aws|smithy)\//.test(place)) sdk += bytesUnder(join(root, place))
  else others += bytesUnder(join(root, place))
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1)
const text = `On top of its base, \`node:22-slim\`, the image has what \`npm install\` writes: ${megabytes(own + sdk + others)} MB of files. ${megabytes(own)} MB are Isotherm with its
console, ${megabytes(sdk)} MB the AWS SDK, and ${megabytes(others)} MB other packages. The files were measured, not a built image.`
console.log(text)

if (values.write !== undefined) {
  const page = readFileSync(values.write, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${values.write} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(values.write, `${page.slice(0, from)}${BEGIN}\n\n${text}\n\n${page.slice(to)}`)
}

// Measures what `npm install --global @isotherm/cli` puts on a disk, which is what the image of the Dockerfile has on top of its
// base: the packages as they are published, and the packages of others in the versions of the lock file. More than the
// budget is an error.
//
//   node tools/installed-size.js [--write docs/local-engine.md]
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PUBLISHED, publishedCopy } from './pack.js'

const [BEGIN, END] = ['<!-- installed-size: npm run installed-size -->', '<!-- /installed-size -->']
const root = fileURLToPath(new URL('..', import.meta.url))

/** What the command and everything that it needs may take on a disk: docs/decisions/039-small-packages-joined-in.md. */
export const MAX_INSTALLED_BYTES = 40_000_000

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

/** @returns {Promise<{ own: number, sdk: number, others: number }>} bytes of Isotherm's files, of the AWS SDK's and of the rest */
export async function installedBytes() {
  let [own, sdk, others] = [0, 0, 0]
  for (const place of neededBy('packages/cli')) {
    if (PUBLISHED.includes(place)) {
      const copy = await publishedCopy(place)
      own += bytesUnder(copy)
      rmSync(copy, { recursive: true })
    } else if (/node_modules\/@(aws-sdk|aws|smithy)\//.test(place)) sdk += bytesUnder(join(root, place))
    else others += bytesUnder(join(root, place))
  }
  return { own, sdk, others }
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1)

async function main() {
  const { values } = parseArgs({ options: { write: { type: 'string' } } })
  const { own, sdk, others } = await installedBytes()
  const all = own + sdk + others
  const text = `On top of its base, \`node:22-slim\`, the image has what \`npm install\` writes: ${megabytes(all)} MB of files. ${megabytes(own)} MB are Isotherm with its
console, ${megabytes(sdk)} MB the AWS SDK, and ${megabytes(others)} MB other packages. The files were measured, not a built image.`
  console.log(text)
  if (values.write !== undefined) write(values.write, text)
  if (all <= MAX_INSTALLED_BYTES) return
  console.error(
    `That is more than the budget of ${megabytes(MAX_INSTALLED_BYTES)} MB. Join a package in, or leave one out.`,
  )
  process.exitCode = 1
}

function write(file, text) {
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${file} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(file, `${page.slice(0, from)}${BEGIN}\n\n${text}\n\n${page.slice(to)}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()

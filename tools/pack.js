// Packs the packages that are published, one tarball each, from copies of their folders. A copy has the code and the
// declarations that its entries reach, without the marks of planted bugs, and the licence and the repository that all packages
// share. The code is in joined files, because Node loads hundreds of small ones slowly.
//
//   npm run pack [FOLDER]        into FOLDER, or `tarballs`
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage } from '../packages/console/build.js'
import { reachedDeclarations } from './declarations.js'
import { joinedEntries } from './joined-entries.js'
import { withoutMarks } from './without-marks.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders of the packages that are published, each behind those that it needs. */
export const PUBLISHED = [
  'packages/semantics',
  'packages/runtime',
  'packages/advisor',
  'packages/isotherm',
  'packages/local',
  'packages/proxy',
  'packages/console',
  'scenarios',
  'packages/cli',
]

/** What stays outside of the library's joined files: it holds the project's own packages, so that installing it adds nothing. */
const LIBRARY = 'packages/isotherm'

/** Its page is not compiled but bundled. */
const WITH_PAGE = 'packages/console'

/** Members of `files` that are copied file by file. */
const COMPILED = ['bin', 'dist']

/**
 * @param {readonly string[]} folders of the packages, from the root of the project
 * @param {string} destination the folder that the tarballs go to
 * @returns {Promise<readonly string[]>} the tarballs' paths, in the order of the folders
 */
export async function pack(folders, destination) {
  const copies = []
  try {
    for (const folder of folders) copies.push(await publishedCopy(folder))
    // npm takes longer to start than to pack.
    const args = ['pack', ...copies, `--pack-destination=${destination}`, '--json', '--loglevel=error']
    const said = execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' })
    return Object.values(JSON.parse(said)).map(({ filename }) => join(destination, filename))
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true })
  }
}

/** @returns {Promise<string>} a new folder with what the tarball of a package holds; the caller removes it */
export async function publishedCopy(folder) {
  if (folder === WITH_PAGE) await buildPage()
  const copy = mkdtempSync(join(tmpdir(), 'isotherm-pack-'))
  const source = join(root, folder)
  const manifest = manifestOf(folder)
  for (const part of ['README.md', ...manifest.files.filter((part) => !COMPILED.includes(part))]) {
    cpSync(join(source, part), join(copy, part), { recursive: true })
  }
  cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'))
  for (const file of Object.values(manifest.bin ?? {})) cpSync(join(source, file), join(copy, file))
  copyDeclarations(source, copy, manifest)
  await writeJoined(source, copy, { manifest, external: externalOf(folder, manifest) })
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return copy
}

/** Two copies of a package would be two classes of the same name, so what can be installed is not joined. */
function externalOf(folder, { dependencies = {}, peerDependencies = {} }) {
  return Object.keys(folder === LIBRARY ? peerDependencies : { ...dependencies, ...peerDependencies })
}

function copyDeclarations(source, copy, { exports }) {
  const entries = Object.values(exports).map((entry) => join(source, entry.types))
  for (const [file, text] of reachedDeclarations(entries)) {
    const target = join(copy, relative(source, file))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

async function writeJoined(source, copy, { manifest, external }) {
  const { files, licences } = await joinedEntries(source, manifest, external)
  for (const { path, text } of files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), withoutMarks(text))
  }
  if (licences !== '') writeFileSync(join(copy, 'dist/licences.txt'), licences)
}

function manifestOf(folder) {
  const { repository, bugs, homepage } = readManifest('.')
  const { scripts: _, devDependencies: __, ...own } = readManifest(folder)
  return { ...own, repository: { ...repository, directory: folder }, bugs, homepage }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const destination = resolve(process.argv[2] ?? 'tarballs')
  mkdirSync(destination, { recursive: true })
  for (const tarball of await pack(PUBLISHED, destination)) console.log(tarball)
}

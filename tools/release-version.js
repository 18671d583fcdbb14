// Checks that a tag names the version of every package that is published, so that a release is whole.
//
//   node tools/release-version.js v0.2.0
//   node tools/release-version.js --tarballs FOLDER     the tarballs of `npm run pack FOLDER`, each behind those that it needs
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PUBLISHED } from './pack.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @returns {readonly { name: string, version: string }[]} in the order in which they are published */
export function publishedVersions() {
  return PUBLISHED.map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
}

/** @throws Error if a package has another version than the tag */
export function requireVersion(tag, packages = publishedVersions()) {
  for (const { name, version } of packages) {
    if (`v${version}` === tag) continue
    throw new Error(
      `${name} has the version ${version}, and the tag is ${tag}. All packages of a release have the version of its tag. Correct package.json, or the tag.`,
    )
  }
}

/** @returns {readonly string[]} the paths of tarballs, in the order in which they are published */
export function tarballsIn(folder, packages = publishedVersions()) {
  return packages.map(({ name, version }) => {
    const path = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    if (!existsSync(path)) throw new Error(`${path} is missing. Write it with: npm run pack -- ${folder}`)
    return path
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first = '', folder = 'tarballs'] = process.argv.slice(2)
  if (first === '--tarballs') for (const path of tarballsIn(folder)) console.log(path)
  else requireVersion(first)
}

// The packages as an application has them installed: the files of their tarballs, and links to packages of others. As a
// program it prepares a folder, in which `node_modules/@isotherm/cli/bin/isotherm.js` is the command as users run it.
//
//   npm run build && node tools/installed-packages.js FOLDER
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PUBLISHED, publishedCopy } from './pack.js'

const installedModules = fileURLToPath(new URL('../node_modules', import.meta.url))

/**
 * Nothing is downloaded: what the packages need of others is linked from the project's own `node_modules`.
 *
 * @param {string} application a folder that has no `node_modules` yet, on the file system of temporary files
 * @returns {Promise<void>}
 */
export async function installPackages(application) {
  const modules = join(application, 'node_modules')
  mkdirSync(join(modules, '@isotherm'), { recursive: true })
  writeFileSync(join(application, 'package.json'), '{ "type": "module" }')
  const needed = new Set()
  for (const folder of PUBLISHED) {
    const copy = await publishedCopy(folder)
    const {
      name,
      dependencies = {},
      peerDependencies = {},
    } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
    for (const each of Object.keys({ ...dependencies, ...peerDependencies })) needed.add(each)
    renameSync(copy, join(modules, name))
  }
  for (const name of needed) {
    const link = join(modules, name)
    if (existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(installedModules, name), link, 'junction')
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , given] = process.argv
  if (given === undefined)
    throw new Error('Give the folder to prepare: node tools/installed-packages.js FOLDER')
  await installPackages(resolve(given))
  console.log(readdirSync(join(resolve(given), 'node_modules')).join(' '))
}

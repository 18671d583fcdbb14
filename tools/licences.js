import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of the package that a module is in. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

const LICENCE = /^licen[cs]e([.-].*)?$/i

/**
 * The licences of the packages of others whose code a bundle has. They ask for it where a copy of their code goes.
 *
 * @param {{ outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }} metafile of esbuild
 * @param {string} folder the one that the paths in it start from
 * @returns {string} the text of a file, empty if there are none
 */
export function licencesOf({ outputs }, folder) {
  const modules = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => resolve(folder, path).replaceAll('\\', '/')),
  )
  const packages = modules.map((path) => PACKAGE.exec(path)?.[0]).filter((place) => place !== undefined)
  return [...new Set(packages)].sort().map(licenceOf).join('\n\n')
}

function licenceOf(place) {
  const { name, version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  const file = readdirSync(place).find((file) => LICENCE.test(file))
  if (file === undefined) throw new Error(`${place} has no file with its licence, so it cannot be joined.`)
  return `## ${name} ${version}\n\n${readFileSync(join(place, file), 'utf8').trim()}\n`
}

import { existsSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

/** `${file(resources/tables.yml)}` and `${file(./tables.yml):Orders}`; a path with a variable in it is not known. */
const FILE = /\$\{file\(\s*([^)$]+?)\s*\)/g
const ENDINGS = new Set(['.json', '.yaml', '.yml'])

/**
 * The files that a file of the Serverless Framework includes, as far as they exist. Code is left out.
 *
 * https://www.serverless.com/framework/docs/guides/variables/file
 */
export function includedFiles(text: string, path: string): readonly string[] {
  if (path === '-') return []
  return [...text.matchAll(FILE)]
    .map(([, file = '']) => join(dirname(path), file))
    .filter((file) => ENDINGS.has(extname(file).toLowerCase()) && existsSync(file))
}

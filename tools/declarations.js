import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of the same package, imported by a declaration. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)\.js['"]/g

/** The same, exported again. */
const EXPORTED = /^export (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?) from '(\.{1,2}\/[^']+)\.js'/gm

const COMMENT = /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm

/**
 * The declarations that a package's entries reach. The compiler's folder has more: of tests, and of sources that have been moved since.
 *
 * Editors show the comments of what an entry exports, and of the types that its declarations name. The comments of what only
 * those types name are left out: they are of the inside, and were 2 % of the library's tarball.
 *
 * @param {readonly string[]} entries paths of declarations
 * @returns {Map<string, string>} texts by paths
 */
export function reachedDeclarations(entries) {
  const exported = reachedFrom(entries, EXPORTED)
  const named = new Set(exported)
  for (const file of exported) for (const imported of filesIn(file, IMPORTED)) named.add(imported)
  return new Map(
    Array.from(reachedFrom(entries, IMPORTED), (file) => {
      const text = readFileSync(file, 'utf8')
      return [file, indentedByTabs(named.has(file) ? text : text.replace(COMMENT, ''))]
    }),
  )
}

/** The compiler indents by four spaces, which made the library's tarball larger by 600 bytes. */
function indentedByTabs(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
}

function reachedFrom(entries, pattern) {
  const reached = new Set(entries)
  // The loop visits files that are added meanwhile, too.
  for (const file of reached) for (const next of filesIn(file, pattern)) reached.add(next)
  return reached
}

function filesIn(file, pattern) {
  return Array.from(
    readFileSync(file, 'utf8').matchAll(pattern),
    ([, path]) => `${join(dirname(file), path)}.d.ts`,
  )
}

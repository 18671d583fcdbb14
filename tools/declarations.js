import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of the same package, imported by a declaration. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)\.js['"]/g

/** The same, exported again. */
const EXPORTED = /^export (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?) from '(\.{1,2}\/[^']+)\.js'/gm

/** The names that a declaration imports of a file. */
const NAMES = /^import (?:type )?\{([^}]*)\} from '(\.{1,2}\/[^']+)\.js'/gm

/** What an interface or a class extends. */
const EXTENDS = /\bextends ([^{]+)\{/g

const COMMENT = /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm

/**
 * The declarations that a package's entries reach. The compiler's folder has more: of tests, and of sources that have been moved since.
 *
 * Editors show the comments of what an entry exports, and of the types that it extends. Every type of a public signature is exported, so the
 * comments of all others are of the inside. They were 5 % of the library's tarball, and are left out.
 *
 * @param {readonly string[]} entries paths of declarations
 * @returns {Map<string, string>} texts by paths
 */
export function reachedDeclarations(entries) {
  const exported = reachedFrom(entries, EXPORTED)
  const shown = new Set(exported)
  for (const file of exported) for (const extended of extendedBy(file)) shown.add(extended)
  return new Map(
    Array.from(reachedFrom(entries, IMPORTED), (file) => {
      const text = readFileSync(file, 'utf8')
      return [file, indentedByTabs(shown.has(file) ? text : text.replace(COMMENT, ''))]
    }),
  )
}

/** The compiler indents by four spaces, which made the library's tarball larger by 600 bytes. */
function indentedByTabs(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
}

/** The files of the types that a file's declarations extend. */
function extendedBy(file) {
  const text = readFileSync(file, 'utf8')
  const names = new Set(Array.from(text.matchAll(EXTENDS), ([, types]) => types.split(/\W+/)).flat())
  return Array.from(text.matchAll(NAMES), ([, imported, path]) => ({ imported, path }))
    .filter(({ imported }) => imported.split(/\W+/).some((name) => name !== '' && names.has(name)))
    .map(({ path }) => `${join(dirname(file), path)}.d.ts`)
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

import { type Dirent, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { CommandError } from './command-error.js'

const ENDINGS = new Set(['.json', '.yaml', '.yml', '.template'])
/** Folders of dependencies and of tools. */
const SKIPPED = /^(node_modules|\..+)$/
const MAX_FILES = 20_000

/** A file to read, and whether the user named it: others may be something else than a template. */
export interface TemplateFile {
  readonly path: string
  readonly isNamed: boolean
}

/** The files, and those in folders that look like templates, in the order of their names. @throws CommandError */
export function templateFiles(paths: readonly string[]): readonly TemplateFile[] {
  const files: TemplateFile[] = []
  for (const path of paths) {
    if (path === '-' || !isFolder(path)) files.push({ path, isNamed: true })
    else for (const inside of filesIn(path)) files.push({ path: inside, isNamed: inside === path })
    if (files.length > MAX_FILES) {
      throw new CommandError(
        `There are more than ${MAX_FILES} files in ${path}; name the folders of the templates.`,
      )
    }
  }
  return files
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new CommandError(`The file ${path} cannot be read (${code}).`, undefined, { cause })
  }
}

/** A folder that cannot be listed stands for its files: reading it fails as theirs would, and is reported with them. */
function* filesIn(folder: string): Generator<string> {
  const entries = entriesOf(folder)
  if (entries === undefined) return yield folder
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && (!SKIPPED.test(entry.name) || entry.name === '.aws-sam')) yield* filesIn(path)
    else if (entry.isFile() && ENDINGS.has(extname(entry.name).toLowerCase())) yield path
  }
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return undefined
  }
}

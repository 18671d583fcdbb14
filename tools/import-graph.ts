import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A source file, and the files of its package that it imports, for values or for types. */
interface SourceFile {
  /** From the package's `src`. */
  readonly path: string
  readonly folder: string
  readonly imports: readonly string[]
}

/** Statements at the start of a line, so that examples in comments are not taken for them, and `import(...)` anywhere. */
const RELATIVE_IMPORT =
  /^import [^'"]*'(\.[^']*)'|^export (?:type )?(?:\*|\{[^}]*\}) from '(\.[^']*)'|\bimport\(\s*'(\.[^']*)'/gm

/**
 * The sources of a package, without its tests.
 * @param source the package's folder `src`
 * @throws Error for an import of a file that is not there, which would be missing in the graph
 */
export function importGraph(source: string): readonly SourceFile[] {
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const known = new Set(paths)
  return paths.filter(isSource).map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const imports = Array.from(text.matchAll(RELATIVE_IMPORT), ([, imported, exported, called]) =>
      join(dirname(path), imported ?? exported ?? called ?? '').replace(/\.js$/, '.ts'),
    )
    const missing = imports.find((target) => !known.has(target) && target.endsWith('.ts'))
    if (missing !== undefined) throw new Error(`${path} imports ${missing}, which is not there.`)
    return { path, folder: dirname(path), imports: [...new Set(imports)] }
  })
}

/** Files of the package itself, and not of its tests. */
export function isSource(path: string): boolean {
  return path.endsWith('.ts') && !/\.(test|behaviour|fixture)\.ts$/.test(path)
}

/** Groups of files of which each imports every other, if only by way of others (Tarjan's strongly connected components). */
export function circles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const found: (readonly string[])[] = []
  const visit = (path: string): number => {
    const own = order.size
    order.set(path, own)
    stack.push(path)
    let low = own
    for (const next of importsOf.get(path) ?? []) {
      if (!importsOf.has(next)) continue
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(path, low)
    if (low === own) found.push(stack.splice(stack.indexOf(path)))
    return low
  }
  for (const { path } of files) if (!order.has(path)) visit(path)
  return found.filter(({ length }) => length > 1)
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageExample } from './page-examples.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Compiles examples as they stand.
 *
 * @param modules the folder of packages from which the examples find theirs
 * @returns what the compiler reports, by page and line; nothing when all is well
 */
export function compileExamples(examples: readonly PageExample[], modules: string): string {
  const cache = join(root, modules, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'examples-'))
  try {
    for (const [index, { code }] of examples.entries()) {
      writeFileSync(
        join(folder, `${index}.ts`),
        `// The first line is another one in the page.\n${code}\nexport {}\n`,
      )
    }
    const options = {
      composite: false,
      declaration: false,
      noEmit: true,
      noUnusedLocals: false,
    }
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions: options, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    return withPlaces(reportOf(folder), examples)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function reportOf(folder: string): string {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], {
      encoding: 'utf8',
    })
    return ''
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

function withPlaces(report: string, examples: readonly PageExample[]): string {
  return examples.reduce(
    (text, { page, line }, index) => text.replaceAll(`/${index}.ts(`, `/${page}:${line} (`),
    report,
  )
}

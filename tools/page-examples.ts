import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import comparisons from '../comparisons/package.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))

/** A block of TypeScript of a page, and where it begins. */
export interface PageExample {
  readonly page: string
  readonly line: number
  readonly code: string
}

/** The README, the guides, and the READMEs of packages, which npm shows, by their paths from the root of the project. */
export function pages(): readonly string[] {
  const guides = ['docs', 'docs/lint'].flatMap((folder) => {
    const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'))
    return files.map((file) => `${folder}/${file}`)
  })
  const packages = readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((page) => existsSync(join(root, page)))
  return ['README.md', ...guides, ...packages]
}

/** @param page its path from the root of the project, such as `docs/sharding.md` */
export function examplesOf(page: string): readonly PageExample[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    code: match[1] ?? '',
  }))
}

/**
 * The programs before and after each difference of a page, from ```diff blocks that begin with an import.
 *
 * @param page its path from the root of the project
 */
export function differencesOf(page: string): readonly { before: PageExample; after: PageExample }[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```diff\n( import .*?)^```/gms)].map(({ index, 1: difference = '' }) => {
    const line = text.slice(0, index).split('\n').length
    const side = (sign: '-' | '+') => {
      const lines = difference.split('\n').filter((line) => [' ', sign, undefined].includes(line[0]))
      return { page, line, code: lines.map((line) => line.slice(1)).join('\n') }
    }
    return { before: side('-'), after: side('+') }
  })
}

/** Whether the example imports a package that only `npm run comparisons` installs. */
export function needsComparisons({ code }: PageExample): boolean {
  return Object.keys(comparisons.dependencies).some((name) => code.includes(`from '${name}`))
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every block of TypeScript in the README and the guides, with the place where it begins. */
function examples(): { readonly place: string; readonly code: string }[] {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)]
  return pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => ({
        place: `${page}:${text.slice(0, match.index).split('\n').length}`,
        code: match[1] ?? '',
      }))
    })
}

it('every example of the README and the guides compiles as it stands', () => {
  const found = examples()
  expect(found.length).toBeGreaterThan(3)
  // Inside the project, so that packages resolve as they do for users.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/examples-'))
  try {
    for (const [index, { place, code }] of found.entries()) {
      writeFileSync(join(folder, `${index}.ts`), `// ${place}\n${code}\nexport {}\n`)
    }
    const options = {
      composite: false,
      declaration: false,
      declarationMap: false,
      noEmit: true,
      noUnusedLocals: false,
    }
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions: options, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const tsc = join(root, 'node_modules/.bin/tsc')
    let problems = ''
    try {
      execFileSync(tsc, ['--project', folder], { encoding: 'utf8' })
    } catch (error) {
      problems = String((error as { stdout?: unknown }).stdout)
      for (const [index, { place }] of found.entries())
        problems = problems.replaceAll(`${index}.ts(`, `${place} (`)
    }
    expect(problems).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

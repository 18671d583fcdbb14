import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { librarySources } from './library-source.js'
import { placeOf } from './mark.js'
import { MUTANTS } from './mutants.js'
import { libraryMarks, plantedFile } from './planted-file.js'

describe('every planted bug', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('has its mark: %s', (_name, mutant) => {
    const { path, text } = plantedFile(mutant)
    const marked = libraryMarks().get(mutant.mark)?.file
    expect(path).toBe(marked?.path)
    expect(text).not.toBe(marked?.text)
  })

  it('compiles: otherwise it would be found for a wrong reason, such as a name that is gone', () => {
    // Below this package, so that imports of packages resolve.
    const folder = fileURLToPath(new URL('../../dist/planted-types/', import.meta.url))
    rmSync(folder, { recursive: true, force: true })
    const write = (path: string, text: string) => {
      mkdirSync(dirname(`${folder}${path}`), { recursive: true })
      writeFileSync(`${folder}${path}`, text)
    }
    for (const { path, text } of librarySources()) write(`src/${path}`, text)
    for (const [index, mutant] of MUTANTS.entries()) {
      const { path, text } = plantedFile(mutant)
      write(`src/${path.replace(/\.ts$/, `.mutant-${index + 1}.ts`)}`, `// ${mutant.name}\n${text}`)
    }
    const compilerOptions = {
      composite: false,
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
    }
    write(
      'tsconfig.json',
      JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions, include: ['src'] }),
    )
    const { stdout } = spawnSync('npx', ['--no-install', 'tsc', '--project', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })
})

describe('every mark of the library', () => {
  it('has a planted bug', () => {
    const used = new Set(MUTANTS.map(({ mark }) => mark))
    const unused = [...libraryMarks().values()].filter(({ name }) => !used.has(name))
    const advice = unused.map(
      (mark) => `${mark.name} at ${placeOf(mark)}: plant a bug there, or remove the mark`,
    )
    expect(advice).toEqual([])
  })
})

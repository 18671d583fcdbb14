import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FLOORS } from './floors.js'
import { circles, importGraph, isSource } from './import-graph.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages, the highest first. A package imports only packages below it. */
const packages = [
  { name: '@isotherm/cli', folder: 'packages/cli' },
  { name: '@isotherm/bench', folder: 'bench' },
  { name: '@isotherm/examples', folder: 'examples' },
  { name: '@isotherm/scenarios', folder: 'scenarios' },
  { name: '@isotherm/simulation', folder: 'simulation' },
  { name: '@isotherm/differential', folder: 'packages/differential' },
  { name: '@isotherm/console', folder: 'packages/console' },
  { name: '@isotherm/proxy', folder: 'packages/proxy' },
  { name: '@isotherm/advisor', folder: 'packages/advisor' },
  { name: '@isotherm/local', folder: 'packages/local' },
  { name: 'isotherm', folder: 'packages/isotherm' },
  { name: '@isotherm/runtime', folder: 'packages/runtime' },
  { name: '@isotherm/semantics', folder: 'packages/semantics' },
] as const

/** Time and chance enter here and nowhere else. */
const effectFiles = new Set([
  'packages/local/src/timers/machine-clock.ts',
  'packages/local/src/timers/next-turn.ts',
  'packages/runtime/src/event-loop.ts',
  'packages/runtime/src/system-clock.ts',
  'packages/runtime/src/virtual-clock.ts',
  'packages/runtime/src/system-random.ts',
])

const sources = packages.flatMap(({ name, folder }) =>
  readdirSync(`${root}/${folder}/src`, { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => {
      const path = `${folder}/src/${file}`
      return { package: name, path, text: readFileSync(`${root}/${path}`, 'utf8') }
    }),
)

function listedImports(): Set<string> {
  const page = readFileSync(`${root}/docs/architecture.md`, 'utf8')
  const rows = [...page.matchAll(/^\| `((?:@isotherm\/)?\w+)` \| [^|]+ \| ([^|]+) \|$/gm)]
  return new Set(
    rows.flatMap(([, name, imports]) =>
      [...(imports ?? '').matchAll(/`([^`]+)`/g)].map(([, target]) => `${name} -> ${target}`),
    ),
  )
}

/** The sections of docs/architecture.md whose table lists the folders of a package. */
const FOLDER_TABLES = {
  'packages/local': 'The engine, bottom-up',
  'packages/isotherm': 'The library, bottom-up',
  'packages/advisor': 'The advisor',
} as const

/** The folders in the second column of the section's table. */
function listedFolders(title: string): readonly string[] {
  const page = readFileSync(`${root}/docs/architecture.md`, 'utf8')
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
  const rows = [...section.matchAll(/^\| [^|`]+ \| (`[^|]+`) \| [^|]+ \|$/gm)]
  return rows.flatMap(([, cell = '']) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name))
}

function realImports(): Set<string> {
  const names = new Set<string>(packages.map(({ name }) => name))
  const imports = new Set<string>()
  for (const source of sources) {
    for (const match of source.text.matchAll(/(?:from|import)\s*\(?\s*'([^'.][^']*)'/g)) {
      const target = (match[1] ?? '')
        .split('/')
        .slice(0, match[1]?.startsWith('@') ? 2 : 1)
        .join('/')
      if (names.has(target)) imports.add(`${source.package} -> ${target}`)
    }
  }
  return imports
}

describe('the house', () => {
  it('is the one listed in docs/architecture.md, import for import', () => {
    expect([...realImports()].sort()).toEqual([...listedImports()].sort())
  })

  it.each(Object.entries(FOLDER_TABLES))(
    'has every folder of %s in the table of docs/architecture.md',
    (folder, title) => {
      expect([...listedFolders(title)].sort()).toEqual([...(FLOORS[folder] ?? [])].flat().sort())
    },
  )

  it('has no import that runs up, and none between the library and the engine', () => {
    const floor = (name: string) => packages.findIndex((each) => each.name === name)
    const wrong = [...realImports()].filter((arrow) => {
      const [from = '', to = ''] = arrow.split(' -> ')
      return floor(from) >= floor(to)
    })
    expect(wrong).toEqual([])
    expect([...realImports()]).not.toContain('@isotherm/local -> isotherm')
  })

  it('reads the clock and draws chance only where they are injected', () => {
    const effects =
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.(now|timeOrigin)|\bMath\.random\(|(?<!(?:socket|response)\.)\bset(Timeout|Interval|Immediate)\(/
    const offenders = sources.filter(({ path, text }) => !effectFiles.has(path) && effects.test(text))
    expect(offenders.map(({ path }) => path)).toEqual([])
  })

  it("asks the library's protocol only through its index", () => {
    const protocol = 'packages/isotherm/src/protocol/'
    const offenders = sources.filter(
      ({ path, text }) =>
        path.startsWith('packages/isotherm/src/') &&
        !path.startsWith(protocol) &&
        /'(?:\.{1,2}\/)+protocol\/(?!index\.js')/.test(text),
    )
    expect(offenders.map(({ path }) => path)).toEqual([])
  })

  it('reads the environment only in the command', () => {
    const offenders = sources.filter(
      (source) => source.package !== '@isotherm/cli' && source.text.includes('process.env'),
    )
    expect(offenders.map(({ path }) => path)).toEqual([])
  })
})

describe.each(Object.entries(FLOORS))('%s', (folder, floors) => {
  const files = importGraph(`${root}/${folder}/src`)
  const floorOf = (name: string) => floors.findIndex((names) => names.includes(name))

  it('has every folder on one floor', () => {
    expect(floors.flat().sort()).toEqual([...new Set(files.map((file) => file.folder))].sort())
  })

  it('has no import that runs up, or to another folder on the same floor', () => {
    const folderOf = new Map(files.map((file) => [file.path, file.folder]))
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((target) => {
          const other = folderOf.get(target) ?? ''
          return other !== file.folder && floorOf(other) <= floorOf(file.folder)
        })
        .map((target) => `${file.path} -> ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no circle of more than two files', () => {
    expect(circles(files).filter(({ length }) => length > 2)).toEqual([])
  })
})

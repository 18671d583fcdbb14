import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, describe, expect, it } from 'vitest'
import { PUBLISHED, pack } from './pack.js'
import { runCommand } from './run-command.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const folder = mkdtempSync(join(tmpdir(), 'isotherm-packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An ESM-only package cannot resolve without ESM support, and CommonJS loads it with `require(esm)`. */
const OTHER_WORLDS = new Set(['node10', 'node16-cjs'])

function tarballOf(file: string) {
  const bytes = new Uint8Array(readFileSync(file))
  const contents = createPackageFromTarballData(bytes)
  return { name: contents.packageName, bytes, contents }
}
type Tarball = ReturnType<typeof tarballOf>

const tarballs: readonly Tarball[] = (await pack(PUBLISHED, folder)).map(tarballOf)

describe.each(tarballs)('the package $name as published', ({ name, bytes, contents }) => {
  const files = contents.listFiles().map((path) => path.replace(`/node_modules/${name}/`, ''))
  const read = (file: string) => contents.readFile(`/node_modules/${name}/${file}`)

  it('has its licence, a README, and says where it comes from and what it is about', () => {
    expect(read('LICENSE')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
    expect(read('README.md')).toMatch(new RegExp(`^# ${name}\n\n\\S`))
    const manifest = JSON.parse(read('package.json'))
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      repository: { type: 'git', directory: expect.stringMatching(/^(packages\/\w+|scenarios)$/) },
      bugs: { url: expect.stringContaining('/issues') },
      engines: { node: '>=20.19' },
    })
    expect(manifest.description.length).toBeGreaterThan(10)
    expect(manifest.keywords).toContain(name === '@isotherm/runtime' ? 'virtual-time' : 'dynamodb')
  })

  it('has no tests, no source maps and no mark of a planted bug', () => {
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((file) => /\.(test|fixture|behaviour)\.|\.map$|tsbuildinfo/.test(file))).toEqual([])
    const code = files.filter((file) => file.endsWith('.js'))
    expect(code.filter((file) => /sourceMappingURL|mark: /.test(read(file)))).toEqual([])
  })

  it('has the files that its code names by their URL', () => {
    const named = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) =>
        Array.from(
          read(file).matchAll(/new URL\(['"](\.[^'"]+)['"], import\.meta\.url\)/g),
          ([, path = '']) => posix.join(posix.dirname(file), path),
        ),
      )
    const isThere = (path: string) =>
      files.some((file) => (path.endsWith('/') ? file.startsWith(path) : file === path))
    expect(named.filter((path) => !isThere(path))).toEqual([])
    if (name === '@isotherm/cli') expect(named).toContain('dist/scenarios/rehearsal-worker.js')
    if (name === '@isotherm/console') expect(named).toContain('site/')
  })

  it('imports what its manifest names, and has the licences of the packages that are joined with it', () => {
    const { dependencies, peerDependencies } = JSON.parse(read('package.json'))
    const named = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])
    const code = files.filter((file) => /^(dist|bin)\/.*\.js$/.test(file)).map(read)
    const imported = code.flatMap((text) => [
      ...text.matchAll(/^(?:import\b|export\b|\}).*?["']([^"'.][^"']*)["'];?$/gm),
    ])
    const packages = imported.map(([, path = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '')
    expect(packages.filter((each) => !isBuiltin(each) && !named.has(each))).toEqual([])
    const joined = code.flatMap((text) => [
      ...text.matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
    ])
    const licences = files.includes('dist/licences.txt') ? read('dist/licences.txt') : ''
    const titles = new Set([...licences.matchAll(/^## (@?[\w/.-]+) \d\S*$/gm)].map(([, title]) => title))
    expect([...titles].sort()).toEqual([...new Set(joined.map(([, title]) => title))].sort())
    if (name === '@isotherm/local') expect(titles).toContain('lru-cache')
  })

  it('has nothing that publint complains of', async () => {
    const { messages, pkg = {} } = await publint({
      pack: { tarball: new Uint8Array(bytes).buffer },
      level: 'warning',
    })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  it('has types that are found from every entry, by bundlers and by Node, as an ESM-only package', async () => {
    const analysis = await checkPackage(contents)
    expect(analysis.types).toMatchObject({ kind: 'included' })
    if (!('problems' in analysis)) throw new Error(`${name} has no types`)
    const problems = analysis.problems.filter(
      (problem) => !('resolutionKind' in problem && OTHER_WORLDS.has(problem.resolutionKind)),
    )
    expect(problems).toEqual([])
    for (const entry of Object.values(analysis.entrypoints)) {
      expect(entry.resolutions['node16-esm'].resolution?.fileName).toMatch(/\.d\.ts$/)
      expect(entry.resolutions.bundler.resolution?.fileName).toMatch(/\.d\.ts$/)
    }
  })
})

/**
 * An application that has installed tarballs, outside the project. Packages of others are linked from the project.
 *
 * @param ours names of tarballs
 * @param others names of packages that the application has installed besides
 */
function installed(name: string, ours: readonly string[], others: readonly string[]): string {
  const application = join(folder, name)
  const chosen = tarballs.filter((tarball) => ours.includes(tarball.name))
  const linked = new Set(others)
  for (const { name, contents } of chosen) {
    for (const path of contents.listFiles()) {
      const file = join(application, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, contents.readFile(path))
    }
    const manifest = JSON.parse(contents.readFile(`/node_modules/${name}/package.json`))
    for (const dependency of Object.keys(manifest.dependencies ?? {})) linked.add(dependency)
  }
  for (const { name } of tarballs) linked.delete(name)
  for (const dependency of linked) {
    const link = join(application, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(modules, dependency), link, 'junction')
  }
  writeFileSync(join(application, 'package.json'), '{ "type": "module" }')
  return application
}

/** What a package needs of the others, itself included. */
function withDependencies(name: string): readonly string[] {
  const { contents } = tarballs.find((tarball) => tarball.name === name) as Tarball
  const manifest = JSON.parse(contents.readFile(`/node_modules/${name}/package.json`))
  const needed = Object.keys(manifest.dependencies ?? {}).filter((each) =>
    tarballs.some((tarball) => tarball.name === each),
  )
  return [...new Set([name, ...needed.flatMap(withDependencies)])]
}

const SDK = '@aws-sdk/client-dynamodb'
const OPTIONAL_PEERS = [
  '@aws-sdk/client-cloudwatch',
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-dynamodb',
  '@opentelemetry/api',
  'redis',
]

/** What can be imported of a package. */
function entriesOf({ name, contents }: Tarball): readonly string[] {
  const { exports } = JSON.parse(contents.readFile(`/node_modules/${name}/package.json`))
  return Object.keys(exports).map((entry) => entry.replace(/^\./, name))
}

/** A module that imports the entries, with nothing that only TypeScript knows. */
function importing(entries: readonly string[]): string {
  const code = entries.map((entry, index) => `import * as entry${index} from '${entry}'\n`).join('')
  return `${code}console.log([${entries.map((_, index) => `entry${index}`).join(', ')}].length)\n`
}

/** Folders in applications, each with a module for the compiler. */
const projects: string[] = []

/**
 * Writes a module for the compiler, which checks the types of libraries, too.
 *
 * @param moduleResolution how the compiler finds what the module imports
 * @returns the folder of the module
 */
function project(application: string, code: string, module: string, moduleResolution: string): string {
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }
  const path = join(application, moduleResolution)
  mkdirSync(path)
  writeFileSync(join(path, 'application.ts'), code)
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['application.ts'] }))
  projects.push(path)
  return path
}

let complaints: Promise<readonly string[]> | undefined

/** All that the compiler complains of. One run for all projects reads most files once. */
async function compile(): Promise<readonly string[]> {
  const compiler = join(modules, 'typescript/bin/tsc')
  const args = [compiler, '--build', '--singleThreaded', ...projects]
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { cwd: folder })
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
  return code === 0 || lines.length > 0 ? lines : [`The compiler ended with code ${code}.`]
}

/** @returns what the compiler complains of, but not in the folders of other projects */
async function complaintsOf(path: string): Promise<readonly string[]> {
  complaints ??= compile()
  const application = dirname(path)
  const others = projects
    .filter((each) => each !== path)
    .map((each) => relative(folder, dirname(each) === application ? each : dirname(each)))
  const all = await complaints
  return all.filter((line) => !others.some((other) => line.startsWith(join(other, '/'))))
}

/** Files of one entry. What several entries share is in files of their own, and more entries share it in more ways. */
const MAX_LOADED = 16

/** Bytes of the library's tarball: every installation in an image or a function downloads and unpacks it. */
const MAX_TARBALL_BYTES = 400_000

describe('the library as published', () => {
  const { bytes, contents } = tarballs.find(({ name }) => name === 'isotherm') as Tarball
  const pathOf = (file: string) => join('/node_modules/isotherm', file)
  const { exports, peerDependencies } = JSON.parse(contents.readFile(pathOf('package.json')))
  const entries = Object.values<{ default: string }>(exports).map((entry) => pathOf(entry.default))
  const importsOf = (path: string) =>
    Array.from(
      contents.readFile(path).matchAll(/^(?:import\b|export\b|\}).*?["']([^"']+)["'];$/gm),
      ([, name = '']) => name,
    )
  const code = contents.listFiles().filter((path) => /\/dist\/.*\.js$/.test(path))

  /** All that Node loads for an entry: parts that several entries share are files of their own. */
  function loadedFor(path: string, loaded = new Set<string>()): ReadonlySet<string> {
    if (loaded.has(path)) return loaded
    loaded.add(path)
    for (const name of importsOf(path)) {
      if (name.startsWith('.')) loadedFor(posix.join(posix.dirname(path), name), loaded)
    }
    return loaded
  }

  it(`is less than ${MAX_TARBALL_BYTES} bytes`, () => {
    expect(bytes.length).toBeLessThan(MAX_TARBALL_BYTES)
  })

  it('is loaded by Node from a few files, because hundreds would take ten times as long', () => {
    for (const entry of entries) expect(loadedFor(entry).size).toBeLessThanOrEqual(MAX_LOADED)
    const others = code.flatMap(importsOf).filter((name) => !/^(\.|node:)/.test(name))
    expect(others).toContain(SDK)
    expect(others.filter((name) => !Object.keys(peerDependencies).includes(name))).toEqual([])
  })

  it('has its code once, for Node and for bundlers', () => {
    const loaded = new Set(entries.flatMap((entry) => [...loadedFor(entry)]))
    expect(code.toSorted()).toEqual([...loaded].sort())
    for (const entry of Object.values<object>(exports))
      expect(Object.keys(entry)).toEqual(['types', 'default'])
  })
})

it('the console as published has its page, with the licences of what is in it', () => {
  const { contents } = tarballs.find(({ name }) => name === '@isotherm/console') as Tarball
  const read = (file: string) => contents.readFile(`/node_modules/@isotherm/console/site/${file}`)
  expect(read('index.html')).toContain('main.js')
  expect(read('main.js').length).toBeGreaterThan(10_000)
  expect(read('main.css')).toContain('--ink')
  expect(read('licences.txt')).toMatch(/^## preact \d\S+\n\nThe MIT License/m)
})

describe('an application that has installed everything', () => {
  const names = tarballs.map(({ name }) => name)
  const application = installed('everything', names, [SDK, ...OPTIONAL_PEERS, '@types/node'])
  const entries = tarballs.flatMap(entriesOf)

  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const path = project(application, importing(entries), module, resolution)
    it(`compiles for ${resolution}`, async () => {
      expect(await complaintsOf(path)).toEqual([])
    })
  }
})

describe.each(tarballs)('an application that has installed $name and nothing else', (tarball) => {
  const { name } = tarball
  const others = name === 'isotherm' ? [SDK] : []
  const application = installed(name.replace('/', '-'), withDependencies(name), [...others, '@types/node'])
  const entries = entriesOf(tarball).filter((entry) => !/cloudwatch|opentelemetry|redis|s3/.test(entry))

  const path = project(application, importing(entries), 'nodenext', 'nodenext')
  it('compiles', async () => {
    expect(await complaintsOf(path)).toEqual([])
  })

  it('loads it', async () => {
    writeFileSync(join(application, 'application.js'), importing(entries))
    const { code, stderr } = await runCommand(process.execPath, ['application.js'], { cwd: application })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('the command', () => {
  it('says what to install where the library is all that is installed', async () => {
    const application = installed('library-alone', withDependencies('isotherm'), [SDK])
    const bin = join(application, 'node_modules/isotherm/bin/isotherm.js')
    expect(await runCommand(process.execPath, [bin, 'local'], { cwd: application })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "isotherm: The command is in the package @isotherm/cli; install it with 'npm install --save-dev @isotherm/cli', or run it once with 'npx @isotherm/cli'.\n",
    })
  })

  it.each(['isotherm', '@isotherm/cli'])('runs by the name that %s gives it', async (name) => {
    const application = join(folder, '@isotherm-cli')
    const manifest = JSON.parse(readFileSync(join(application, 'node_modules', name, 'package.json'), 'utf8'))
    expect(Object.keys(manifest.bin)).toEqual(['isotherm'])
    const bin = join(application, 'node_modules', name, manifest.bin.isotherm)
    expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    const { code, stdout } = await runCommand(process.execPath, [bin, '--version'], { cwd: application })
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${manifest.version}\n` })
  })

  it('is found in the project it is run in, where packages see only their own dependencies', async () => {
    const project = join(folder, '@isotherm-cli')
    const elsewhere = installed('strict', withDependencies('isotherm'), [SDK])
    const bin = join(elsewhere, 'node_modules/isotherm/bin/isotherm.js')
    const { code, stderr } = await runCommand(process.execPath, [bin, '--version'], { cwd: project })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

it('every workspace is packed or private', () => {
  const folders = [
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
    'scenarios',
    'simulation',
  ]
  const isPrivate = (place: string) =>
    JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')).private === true
  expect(folders.filter((place) => !isPrivate(place)).sort()).toEqual([...PUBLISHED].sort())
})

// Writes what each entry of the packages exports, as text: a change of the API is a change of these files, and is seen in review.
// Needs a build.
//
//   node api/api-reports.js [FOLDER]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { ENTRIES } from '../site/entries.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('.', import.meta.url)))

/** The documentation is checked by the reference, and the build by the compiler. */
const SILENT = { default: { logLevel: 'none', addToApiReportFile: false } }

const packages = new Map()
for (const [source, name] of Object.entries(ENTRIES)) {
  const path = join(root, source.slice(0, source.indexOf('/src/')))
  packages.set(path, [...(packages.get(path) ?? []), { name, declarations: declarationsOf(source) }])
}

const temporary = mkdtempSync(join(tmpdir(), 'isotherm-api-'))
mkdirSync(folder, { recursive: true })
try {
  for (const [path, entries] of packages) {
    const [first, ...others] = entries.map((entry) => configOf(path, entry))
    // The entries of a package share one program, which takes most of the time.
    const additionalEntryPoints = others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
    const compilerState = CompilerState.create(first, { additionalEntryPoints })
    for (const config of [first, ...others]) {
      const { errorCount } = Extractor.invoke(config, { localBuild: true, compilerState, messageCallback })
      if (errorCount > 0)
        throw new Error(`The report of ${config.mainEntryPointFilePath} has ${errorCount} errors.`)
    }
  }
} finally {
  rmSync(temporary, { recursive: true })
}

function configOf(path, { name, declarations }) {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: path,
      mainEntryPointFilePath: declarations,
      compiler: { tsconfigFilePath: join(path, 'tsconfig.json') },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: temporary,
        reportFileName: name.replace('@', '').replace('/', '-'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: SILENT,
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(path, 'package.json'),
  })
}

/** Where the compiler writes the types of a source. */
function declarationsOf(source) {
  return join(root, source.replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts'))
}

function messageCallback(message) {
  if (message.logLevel === 'error') return
  message.logLevel = 'none'
}

// Requires that every type of a public signature is exported, and that every export is documented. TypeDoc looks for that
// within one package at a time.
//
//   node site/public-types.js
import { Application, TSConfigReader } from 'typedoc'
import { ENTRIES } from './entries.js'

const files = Object.keys(ENTRIES)
const packages = new Set(files.map((file) => file.slice(0, file.indexOf('/src/'))))
let findings = 0
for (const folder of packages) {
  // The configuration of the reference is for all packages, and its plugins have options of their own.
  const application = await Application.bootstrap(
    {
      entryPoints: files.filter((file) => file.startsWith(`${folder}/src/`)).map((file) => `../${file}`),
      tsconfig: 'tsconfig.json',
      skipErrorChecking: true,
      excludePrivate: true,
      excludeInternal: true,
      // Links to sources need a remote, which a copy of the project may not have.
      disableSources: true,
      validation: { notExported: true, notDocumented: true, invalidLink: true },
      requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable'],
      logLevel: 'Warn',
    },
    [new TSConfigReader()],
  )
  const project = await application.convert()
  if (project === undefined) throw new Error(`TypeDoc could not read ${folder}.`)
  application.validate(project)
  findings += application.logger.warningCount + application.logger.errorCount
}
if (findings > 0) process.exit(1)

// Requires that every type of a public signature is exported, and that every export is documented. TypeDoc looks for that
// within one package at a time.
//
//   node site/public-types.js
import { Application, TSConfigReader } from 'typedoc'
import { ENTRIES } from './entries.js'

const files = Object.keys(ENTRIES)
const packages = new Set(files.map((file) => file.slice(0, file.indexOf('/src/'))))
const entriesOf = (folder) => files.filter((file) => file.startsWith(folder)).map((file) => `../${file}`)
// The configuration of the reference is for all packages, and its plugins have options of their own.
const application = await Application.bootstrap(
  {
    entryPoints: entriesOf(''),
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
// Most of the time goes into reading the types, which is done once for all packages.
const entryPoints = application.getEntryPoints()
if (entryPoints?.length !== files.length) throw new Error('TypeDoc could not read all entries.')
for (const folder of packages) {
  const own = entryPoints.filter(({ sourceFile }) => sourceFile.fileName.includes(`/${folder}/src/`))
  if (own.length === 0) throw new Error(`TypeDoc has no entry of ${folder}.`)
  // The converted project also has the README of the folder above all entries. Its links are validated, too.
  application.options.setValue('entryPoints', entriesOf(folder))
  application.validate(application.converter.convert(own))
}
if (application.logger.warningCount + application.logger.errorCount > 0) process.exit(1)

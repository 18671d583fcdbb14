import { ENTRIES } from './entries.js'

/** @type {import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions} */
const config = {
  entryPoints: Object.keys(ENTRIES).map((file) => `../${file}`),
  tsconfig: 'tsconfig.json',
  // The project is compiled by another version of TypeScript, in its own tests.
  skipErrorChecking: true,
  out: 'reference',
  plugin: ['typedoc-plugin-markdown', './entry-names.js'],
  basePath: '..',
  disableGit: true,
  gitRevision: 'main',
  sourceLinkTemplate: 'https://github.com/isotherm/isotherm/blob/main/{path}#L{line}',
  readme: 'none',
  name: 'Reference',
  excludePrivate: true,
  excludeInternal: true,
  githubPages: false,
  router: 'module',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
  validation: false,
  logLevel: 'Warn',
}

export default config

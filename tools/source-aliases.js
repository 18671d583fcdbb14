import { fileURLToPath } from 'node:url'

const source = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Where the sources of what a package exports are. Tests run them, so that a failing line is the line that was written. */
export const SOURCE_ALIASES = {
  '@isotherm/console/remote': source('packages/console/src/remote/index.ts'),
  '@isotherm/console': source('packages/console/src/index.ts'),
  '@isotherm/semantics': source('packages/semantics/src/index.ts'),
  '@isotherm/runtime': source('packages/runtime/src/index.ts'),
  '@isotherm/local/service': source('packages/local/src/service.ts'),
  '@isotherm/advisor/sizing': source('packages/advisor/src/sizing/index.ts'),
  '@isotherm/advisor/rehearsal': source('packages/advisor/src/rehearsal/index.ts'),
  '@isotherm/advisor': source('packages/advisor/src/index.ts'),
  '@isotherm/local': source('packages/local/src/index.ts'),
  '@isotherm/differential/oracle': source('packages/differential/src/oracle/oracle.ts'),
  '@isotherm/scenarios': source('scenarios/src/index.ts'),
  '@isotherm/simulation/world': source('simulation/src/world/index.ts'),
  'isotherm/large': source('packages/isotherm/src/patterns/large/index.ts'),
  'isotherm/counter': source('packages/isotherm/src/patterns/counter/index.ts'),
  'isotherm/rotation': source('packages/isotherm/src/patterns/rotation/index.ts'),
  'isotherm/pool': source('packages/isotherm/src/patterns/pool/index.ts'),
  'isotherm/queue': source('packages/isotherm/src/patterns/queue/index.ts'),
  'isotherm/cloudwatch': source('packages/isotherm/src/client/cloud-watch.ts'),
  'isotherm/opentelemetry': source('packages/isotherm/src/client/opentelemetry-metrics.ts'),
  '@isotherm/proxy/upstream': source('packages/proxy/src/upstream/index.ts'),
  '@isotherm/proxy': source('packages/proxy/src/index.ts'),
  'isotherm/search': source('packages/isotherm/src/patterns/search/index.ts'),
  isotherm: source('packages/isotherm/src/index.ts'),
}

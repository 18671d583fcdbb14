// Everything of the entry `isotherm`, but for the client itself, which is made of parts.
export { type CoreOptions, isotherm } from './client/isotherm-of-parts.js'
export type { Part } from './client/part.js'
export {
  appends,
  batches,
  explain,
  indexes,
  items,
  migrating,
  queries,
  rebalancing,
  scans,
  secondLevelCache,
  transactions,
} from './client/parts.js'
export type { PartName } from './errors/isotherm-error.js'
export * from './index.js'

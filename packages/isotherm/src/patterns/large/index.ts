export {
  IsothermError,
  type IsothermErrorCode,
  type IsothermErrorDetails,
} from '../../errors/isotherm-error.js'
export type { Duration } from '../../options/duration.js'
export type { Condition } from '../conditions/condition.js'
export { directoryStore } from '../object-store/directory-store.js'
export type { ObjectStore } from '../object-store/object-store.js'
export type { PatternClient } from '../sending/pattern-client.js'
export type { PlainItem, PlainValue } from '../values/plain-item.js'
export type { Compression } from './codec.js'
export type { CollectProgress } from './collect.js'
export { type EnsureChunkTableOptions, ensureChunkTable } from './ensure-chunk-table.js'
export { type Large, large } from './large.js'
export type { LargeOptions } from './large-options.js'
export type { CollectOptions, GetOptions, LargeUpdate, WriteOptions } from './large-requests.js'

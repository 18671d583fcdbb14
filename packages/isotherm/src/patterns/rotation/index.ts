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
export type { ArchiveReport } from './archive-period.js'
export type { PeriodState } from './catalog.js'
export { type EnsureCatalogOptions, ensureCatalog } from './ensure-catalog.js'
export type { OddPeriod, PeriodLength } from './periods.js'
export { type Rotation, rotation } from './rotation.js'
export type { RotationOptions, TableDefinition } from './rotation-options.js'
export type {
  ArchiveOptions,
  ItemOptions,
  MaintainReport,
  Moment,
  PeriodReport,
  QueryOptions,
  RotationPage,
} from './rotation-requests.js'
export type { TimeFormat, TimeFormatName } from './time-format.js'

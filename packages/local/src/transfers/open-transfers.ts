import type { Clock, Random } from '@isotherm/runtime'
import type { Buckets } from '../buckets/buckets.js'
import type { OpenCatalog } from '../catalog/open-catalog.js'
import type { Storage } from '../storage/storage.js'
import { Exports } from './exports.js'
import { Imports } from './imports.js'
import type { TransferJobs } from './transfer-jobs.js'

/** The dependencies of exports and imports besides the catalog. */
export interface TransfersParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  /** `undefined` when the engine has none. */
  readonly buckets: Buckets | undefined
  readonly jobs: TransferJobs
}

/** The exports and imports of a catalog. Both are `undefined` when there are no buckets. */
export interface Transfers {
  readonly exports: Exports | undefined
  readonly imports: Imports | undefined
  /** Stops all of them. */
  closeTransfers(): void
}

export function openTransfers(open: OpenCatalog, { buckets, ...parts }: TransfersParts): Transfers {
  if (buckets === undefined) return { exports: undefined, imports: undefined, closeTransfers: () => {} }
  const { catalog, lifeCycle, exportRecords, importRecords } = open
  const exports = new Exports({ ...parts, buckets, records: exportRecords })
  const imports = new Imports({ ...parts, buckets, catalog, lifeCycle, records: importRecords })
  const closeTransfers = () => {
    exports.close()
    imports.close()
  }
  return { exports, imports, closeTransfers }
}

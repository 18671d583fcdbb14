import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { LocalError } from '../errors/local-error.js'
import type { Buckets } from './buckets.js'
import { DirectoryBuckets } from './directory-buckets.js'

/** Opens a directory whose folders are buckets. @throws LocalError `buckets.missing` */
export function openBuckets(directory: string): Buckets {
  const buckets = resolve(directory)
  if (statSync(buckets, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new LocalError(
      'buckets.missing',
      `There is no directory ${buckets} for buckets. Create it, or name one that exists (--buckets DIR, or the option buckets).`,
      { buckets },
    )
  }
  return new DirectoryBuckets(buckets)
}

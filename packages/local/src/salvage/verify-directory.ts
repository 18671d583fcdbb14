import { claimFile } from '../storage/lmdb/data-directory.js'
import { storedRows } from '../storage/lmdb/stored-rows.js'
import type { DirectoryReport } from './directory-report.js'
import { DirectoryTally } from './directory-tally.js'

/**
 * Checks every row of a data directory. Nothing in it is changed, and no engine may have it open.
 *
 * @example
 * const { damagedParts } = await verifyDirectory('./dynamodb')
 * @throws LocalError when the directory is missing, foreign, newer or in use.
 */
export async function verifyDirectory(directory: string): Promise<DirectoryReport> {
  const claimed = claimFile(directory)
  try {
    const tally = new DirectoryTally()
    for (const row of storedRows(claimed)) tally.count(row)
    return tally.report(claimed.path)
  } finally {
    await claimed.release()
  }
}
